//! Tests over the whole product.
