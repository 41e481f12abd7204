//! Figures drawn: their geometry, their data read back, their colours.
mod any;
mod colours;
mod figures;
mod geometry;
mod limits;
mod spots;
mod svg;
