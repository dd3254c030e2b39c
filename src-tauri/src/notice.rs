//! A start that failed: one small window that says in words what is wrong and what to do, in the reader's language.
//! The UI is not there yet, so the words are here; the colours are the UI's.

use std::process::ExitCode;

use app::StartError;
use tauri::http::Response;
use tauri::http::header::{CONTENT_TYPE, HeaderValue};
use tauri::webview::WebviewWindowBuilder;
use tauri::{AppHandle, Url, WebviewUrl};

/// The scheme that the notice's page is served by; its button leads to [`CLOSE`].
const SCHEME: &str = "notice";
const PAGE: &str = "notice://localhost/";
const CLOSE: &str = "/close";
/// The notice's size in logical pixels.
const SIZE: (f64, f64) = (520.0, 420.0);
const TOKENS: &str = include_str!("../../ui/src/styles/tokens.css");
const STYLE: &str = include_str!("notice.css");
const ICON: &str = include_str!("../icons/icon.svg");
const SCRIPT: &str = include_str!("notice.js");

/// Why there is no app to show.
pub enum Fault {
    Start(StartError),
    /// The system names no folder for data, and none was given.
    NoFolder,
}

/// What is wrong and what to do, in one language.
struct Words {
    language: &'static str,
    title: &'static str,
    advice: String,
    close: &'static str,
}

/// Says it on stderr and in a window, until that is closed. The status is always failure.
pub fn show(fault: &Fault) -> ExitCode {
    eprintln!("{}", line(fault));
    let page = page(&[english(fault), chinese(fault), japanese(fault)]);
    let built = tauri::Builder::default()
        .register_uri_scheme_protocol(SCHEME, move |_, _| {
            let mut response = Response::new(page.clone().into_bytes());
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
            response
        })
        .build(tauri::generate_context!());
    match built.and_then(|tauri| open(&tauri).map(|()| tauri)) {
        Ok(tauri) => {
            tauri.run_return(|_, _| {});
        }
        Err(error) => eprintln!("No window could be opened to say so: {error}"),
    }
    ExitCode::FAILURE
}

fn open(tauri: &tauri::App) -> tauri::Result<()> {
    let handle = tauri.handle().clone();
    let page = PAGE.parse().expect("a constant URL");
    WebviewWindowBuilder::new(tauri, "notice", WebviewUrl::CustomProtocol(page))
        .title("Capture Five")
        .inner_size(SIZE.0, SIZE.1)
        // The data folder may be what is wrong: the web view keeps nothing.
        .incognito(true)
        .on_navigation(move |url| navigate(&handle, url))
        .build()?;
    Ok(())
}

/// The page may show itself; its button ends the app.
fn navigate(handle: &AppHandle, url: &Url) -> bool {
    if url.path() == CLOSE {
        handle.exit(1);
        return false;
    }
    true
}

/// The one line for stderr.
fn line(fault: &Fault) -> String {
    match fault {
        Fault::Start(error) => error.to_string(),
        Fault::NoFolder => "this system names no folder for the data: choose one with --data".into(),
    }
}

fn english(fault: &Fault) -> Words {
    let (title, advice) = match fault {
        Fault::Start(StartError::DataInUse(path)) => (
            "Capture Five is open already",
            format!(
                "Another Capture Five uses the folder {}. Go on in its window, or close it and open this one again. For two on one device, start the second with --data and a folder of its own.",
                path.display()
            ),
        ),
        Fault::Start(StartError::DataUnwritable { path, why }) => (
            "Nothing can be saved here",
            format!(
                "The folder {} cannot be written ({why}). Make it writable, or free some space, and open Capture Five again. Or start it with --data and another folder.",
                path.display()
            ),
        ),
        Fault::Start(StartError::DataInTheWay(path)) => (
            "Something lies in the way",
            format!(
                "Something else lies at {}, where Capture Five keeps its own. Move it away and open Capture Five again, or start it with --data and another folder.",
                path.display()
            ),
        ),
        Fault::Start(StartError::DataNotAFolder(path)) => (
            "A file lies in the way",
            format!(
                "{} is a file, and Capture Five needs a folder there. Move the file away, or start Capture Five with --data and another folder.",
                path.display()
            ),
        ),
        Fault::Start(StartError::Newer(path)) => (
            "A newer Capture Five was here",
            format!(
                "A newer version wrote the folder {}, and this one cannot read it. Update Capture Five. Nothing was changed.",
                path.display()
            ),
        ),
        Fault::Start(StartError::PortInUse(port)) => (
            "The network port is taken",
            format!(
                "Another program uses UDP port {port}. Close it, or start Capture Five with another --port; without one it finds a free port itself."
            ),
        ),
        Fault::Start(StartError::Network(why)) => (
            "The network cannot be used",
            format!(
                "Capture Five may not open a network connection ({why}). Allow it in the system's settings, then open it again."
            ),
        ),
        Fault::NoFolder => (
            "There is no place for your games",
            "This system names no folder for programs' data. Start Capture Five with --data and a folder.".into(),
        ),
    };
    Words { language: "en", title, advice, close: "Close" }
}

fn chinese(fault: &Fault) -> Words {
    let (title, advice) = match fault {
        Fault::Start(StartError::DataInUse(path)) => (
            "Capture Five 已經開著",
            format!(
                "另一個 Capture Five 正在使用資料夾 {}。請到那個視窗繼續，或關閉它後重新開啟。要在同一台裝置開兩個，請用 --data 為第二個指定另一個資料夾。",
                path.display()
            ),
        ),
        Fault::Start(StartError::DataUnwritable { path, why }) => (
            "這裡無法儲存",
            format!(
                "無法寫入資料夾 {}（{why}）。請開放寫入權限或清出空間後重新開啟，或用 --data 指定另一個資料夾。",
                path.display()
            ),
        ),
        Fault::Start(StartError::DataInTheWay(path)) => (
            "存放資料的位置被占用",
            format!(
                "{} 是別的東西，Capture Five 要在那裡存放自己的資料。請移走它後重新開啟，或用 --data 指定另一個資料夾。",
                path.display()
            ),
        ),
        Fault::Start(StartError::DataNotAFolder(path)) => (
            "資料夾的位置是一個檔案",
            format!(
                "{} 是檔案，Capture Five 需要的是資料夾。請移走這個檔案，或用 --data 指定另一個資料夾。",
                path.display()
            ),
        ),
        Fault::Start(StartError::Newer(path)) => (
            "資料來自較新的版本",
            format!(
                "資料夾 {} 由較新版的 Capture Five 寫入，這個版本讀不了。請更新 Capture Five。資料沒有任何更動。",
                path.display()
            ),
        ),
        Fault::Start(StartError::PortInUse(port)) => (
            "網路連接埠被占用",
            format!(
                "UDP 連接埠 {port} 正被其他程式使用。請關閉該程式，或用 --port 指定另一個；不指定時會自動找可用的連接埠。"
            ),
        ),
        Fault::Start(StartError::Network(why)) => {
            ("無法使用網路", format!("Capture Five 無法開啟網路連線（{why}）。請在系統設定中允許，再重新開啟。"))
        }
        Fault::NoFolder => {
            ("沒有地方存放對局", "系統沒有指定程式資料的資料夾。請用 --data 指定一個資料夾來啟動 Capture Five。".into())
        }
    };
    Words { language: "zh-TW", title, advice, close: "關閉" }
}

fn japanese(fault: &Fault) -> Words {
    let (title, advice) = match fault {
        Fault::Start(StartError::DataInUse(path)) => (
            "Capture Five はもう開いています",
            format!("別の Capture Five がフォルダー {} を使っています。そのウィンドウで続けるか、閉じてから開き直してください。一台で二つ使うときは、二つ目に --data で別のフォルダーを指定してください。", path.display()),
        ),
        Fault::Start(StartError::DataUnwritable { path, why }) => (
            "ここには保存できません",
            format!("フォルダー {} に書き込めません（{why}）。書き込めるようにするか空きを作って開き直すか、--data で別のフォルダーを指定してください。", path.display()),
        ),
        Fault::Start(StartError::DataInTheWay(path)) => (
            "データの場所に別のものがあります",
            format!("{} に別のものがあり、Capture Five のデータを置けません。それを移して開き直すか、--data で別のフォルダーを指定してください。", path.display()),
        ),
        Fault::Start(StartError::DataNotAFolder(path)) => (
            "フォルダーの場所にファイルがあります",
            format!("{} はファイルですが、Capture Five にはフォルダーが要ります。ファイルを移すか、--data で別のフォルダーを指定してください。", path.display()),
        ),
        Fault::Start(StartError::Newer(path)) => (
            "新しい版のデータです",
            format!("フォルダー {} は新しい版の Capture Five が書いたもので、この版では読めません。Capture Five を更新してください。データは変わっていません。", path.display()),
        ),
        Fault::Start(StartError::PortInUse(port)) => (
            "ポートが使われています",
            format!("UDP ポート {port} は別のプログラムが使っています。それを閉じるか、--port で別のポートを指定してください。指定しなければ空いているポートを使います。"),
        ),
        Fault::Start(StartError::Network(why)) => (
            "ネットワークを使えません",
            format!("Capture Five はネットワークに接続できません（{why}）。システムの設定で許可してから、開き直してください。"),
        ),
        Fault::NoFolder => (
            "対局を保存する場所がありません",
            "このシステムにはプログラムのデータ用フォルダーがありません。--data でフォルダーを指定して Capture Five を起動してください。".into(),
        ),
    };
    Words { language: "ja", title, advice, close: "閉じる" }
}

/// The page with every language in it; its script shows the reader's.
fn page(all: &[Words]) -> String {
    let mut articles = String::new();
    for Words { language, title, advice, close } in all {
        let advice = escape(advice);
        articles += &format!(
            "<main lang=\"{language}\"><h1>{title}</h1><p>{advice}</p><a role=\"button\" href=\"{CLOSE}\">{close}</a></main>\n"
        );
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Capture Five</title>\n\
         <style>{TOKENS}{STYLE}</style>\n{ICON}\n{articles}<script>{SCRIPT}</script>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_fault() -> [Fault; 8] {
        let path = || "/home/mei/<games>".into();
        [
            Fault::Start(StartError::DataInUse(path())),
            Fault::Start(StartError::DataUnwritable { path: path(), why: "read-only & full".into() }),
            Fault::Start(StartError::DataInTheWay(path())),
            Fault::Start(StartError::DataNotAFolder(path())),
            Fault::Start(StartError::Newer(path())),
            Fault::Start(StartError::PortInUse(40515)),
            Fault::Start(StartError::Network("not permitted".into())),
            Fault::NoFolder,
        ]
    }

    #[test]
    fn every_fault_is_told_in_every_language_with_its_facts() {
        for fault in every_fault() {
            let languages = [english(&fault), chinese(&fault), japanese(&fault)];
            let fact = match &fault {
                Fault::Start(StartError::PortInUse(_)) => "40515",
                Fault::Start(StartError::Network(_)) => "not permitted",
                Fault::Start(StartError::DataUnwritable { .. }) => "read-only & full",
                Fault::Start(
                    StartError::DataInUse(_)
                    | StartError::DataInTheWay(_)
                    | StartError::DataNotAFolder(_)
                    | StartError::Newer(_),
                ) => "/home/mei/<games>",
                Fault::NoFolder => "--data",
            };
            for words in &languages {
                assert!(words.advice.contains(fact), "{}: {}", words.language, words.advice);
                assert!(languages.iter().filter(|other| other.title == words.title).count() == 1, "{}", words.title);
            }
            assert!(!line(&fault).contains('\n'));
        }
    }

    #[test]
    fn the_page_shows_text_as_text() {
        let page = page(&[english(&every_fault()[0])]);
        assert!(page.contains("/home/mei/&lt;games&gt;") && !page.contains("<games>"));
    }
}
