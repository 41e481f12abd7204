//! What two Regix binaries need.
