//! The product without a window: one actor a table joins the table protocol, the network, the history and the CPU;
//! commands go in, views and events come out. It draws nothing and holds no rule of its own.

pub mod api;
