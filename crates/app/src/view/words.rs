//! The rules in words, for the sheet that tells them.

use rules::Rules;
use rules::words::{Arg, Sentence, sentences, special};

use crate::api::table::{ArgView, SectionView, SentenceView};

/// The sentences that state these rules, section by section.
pub fn words_view(rules: &Rules) -> Vec<SectionView> {
    let special = special(rules);
    let said = sentences(rules);
    let sections = said.chunk_by(|a, b| a.section == b.section);
    let view = |said: &[Sentence]| SectionView {
        heading: said[0].section.key().to_owned(),
        sentences: said.iter().map(|sentence| sentence_view(sentence, special.contains(sentence))).collect(),
    };
    sections.map(view).collect()
}

fn sentence_view(sentence: &Sentence, special: bool) -> SentenceView {
    let args = sentence.args.iter().map(|(name, arg)| ((*name).to_owned(), arg_view(*arg)));
    SentenceView { key: sentence.key.to_owned(), args: args.collect(), special }
}

fn arg_view(arg: Arg) -> ArgView {
    match (arg.word(), arg) {
        (Some(word), _) => ArgView::Word { word },
        (None, Arg::Number(number) | Arg::Count(number)) => ArgView::Number(number),
        (None, Arg::Colour(_) | Arg::Point(_)) => ArgView::Text(arg.to_string()),
    }
}
