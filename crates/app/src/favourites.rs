//! Favourite set-ups: what somebody likes to play, under a name, kept beside the settings.

use crate::api::setup::{FavouriteView, SetupRequest};
use crate::api::{ApiError, ErrorCode};
use crate::names::checked_name;
use crate::setup::setup_of;

/// Favourites that are kept on one device.
pub(crate) const FAVOURITES_MAX: usize = 24;
/// The name under which they are kept.
pub(crate) const FAVOURITES: &str = "favourites";

/// The list with one more, the newest last; one of the same name gives way to it. A PIN is not kept: it is for one table.
pub(crate) fn with_favourite(
    kept: &[FavouriteView],
    name: &str,
    request: SetupRequest,
) -> Result<Vec<FavouriteView>, ApiError> {
    let name = checked_name(name)?;
    if name.is_empty() {
        return Err(ApiError::new(ErrorCode::BadCommand, "a favourite needs a name, by which to find it again"));
    }
    setup_of(&request, "")?;
    let mut request = request;
    (request.settings.pin, request.settings.locked) = (None, false);
    let mut list: Vec<FavouriteView> = kept.iter().filter(|kept| kept.name != name).cloned().collect();
    if list.len() >= FAVOURITES_MAX {
        let about = format!("{FAVOURITES_MAX} favourites are kept at most: delete one of them first");
        return Err(ApiError::new(ErrorCode::BadCommand, about).with("why", "favourites-full"));
    }
    list.push(FavouriteView { name, request });
    Ok(list)
}

/// The list without that one.
pub(crate) fn without_favourite(kept: &[FavouriteView], name: &str) -> Result<Vec<FavouriteView>, ApiError> {
    let list: Vec<FavouriteView> = kept.iter().filter(|kept| kept.name != name).cloned().collect();
    if list.len() == kept.len() {
        let about = format!("there is no favourite {name:?}: take its name from the list");
        return Err(ApiError::new(ErrorCode::NotFound, about));
    }
    Ok(list)
}

/// Those kept in this folder. One that cannot be read any more is left out, and the others stay.
pub(crate) fn kept_favourites(history: &history::History) -> Vec<FavouriteView> {
    let kept = history.value(FAVOURITES);
    let values: Vec<serde_json::Value> = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).take(FAVOURITES_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::setup::SeatPlan;
    use crate::api::table::TableSettings;

    fn request(seats: Vec<SeatPlan>) -> SetupRequest {
        SetupRequest {
            preset: "pente".to_owned(),
            seats,
            options: std::collections::BTreeMap::new(),
            settings: TableSettings { pin: Some("1234".to_owned()), ..TableSettings::default() },
        }
    }

    fn two() -> SetupRequest {
        request(vec![SeatPlan::Me, SeatPlan::Cpu { level: 6 }])
    }

    #[test]
    fn a_favourite_is_kept_under_its_name_and_without_its_pin() {
        let list = with_favourite(&[], "  Sunday \n", two()).expect("kept");
        assert_eq!(list[0].name, "Sunday");
        assert_eq!(list[0].request.settings.pin, None);
        let again = with_favourite(&list, "Sunday", request(vec![SeatPlan::Me, SeatPlan::Open])).expect("kept");
        assert_eq!(again.len(), 1, "the newer one of a name stands");
        assert_eq!(again[0].request.seats[1], SeatPlan::Open);
        assert_eq!(without_favourite(&again, "Sunday").expect("it was there"), []);
    }

    #[test]
    fn what_cannot_be_played_or_found_is_refused() {
        let code = |refused: Result<Vec<FavouriteView>, ApiError>| refused.expect_err("refused").code;
        assert_eq!(code(with_favourite(&[], " ", two())), ErrorCode::BadCommand);
        assert_eq!(code(with_favourite(&[], &"é".repeat(41), two())), ErrorCode::NameTooLong);
        assert_eq!(code(with_favourite(&[], "A", request(vec![SeatPlan::Me]))), ErrorCode::BadCommand);
        let level = request(vec![SeatPlan::Me, SeatPlan::Cpu { level: 9 }]);
        assert_eq!(code(with_favourite(&[], "A", level)), ErrorCode::BadCommand);
        let unknown = SetupRequest { preset: "chess".to_owned(), ..two() };
        assert_eq!(code(with_favourite(&[], "A", unknown)), ErrorCode::BadRules);
        assert_eq!(code(without_favourite(&[], "A")), ErrorCode::NotFound);
        let full: Vec<FavouriteView> =
            (0..FAVOURITES_MAX).map(|number| FavouriteView { name: number.to_string(), request: two() }).collect();
        assert_eq!(code(with_favourite(&full, "A", two())), ErrorCode::BadCommand);
        assert_eq!(with_favourite(&full, "3", two()).expect("one of a name").len(), FAVOURITES_MAX);
    }
}
