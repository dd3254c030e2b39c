//! One declaration for an enum and the names of its values in files, messages and command lines.

/// Declares an enum whose values have names, with `ALL`, `NAMES` (in the same order), `name` and `from_name`.
macro_rules! named {
    ($(#[$about:meta])* pub enum $type:ident { $($(#[$note:meta])* $variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $type { $($(#[$note])* #[serde(rename = $name)] $variant),+ }

        impl $type {
            /// Every value, in the order of its declaration.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The names, in the order of [`Self::ALL`].
            pub const NAMES: &[&str] = &[$($name),+];

            /// The name used in files, messages and command lines.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),+ }
            }

            /// `None` where no value has this name.
            pub fn from_name(name: &str) -> Option<$type> {
                match name { $($name => Some($type::$variant),)+ _ => None }
            }
        }
    };
}
pub(crate) use named;
