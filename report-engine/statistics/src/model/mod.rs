//! Regression: linear, logistic, proportional hazards; and what a score can tell (ROC).
pub mod concordance;
pub mod cox;
mod cox_likelihood;
pub mod design;
pub mod fit;
pub mod linear;
pub mod logistic;
mod newton;
pub mod proportional;
pub mod roc;
