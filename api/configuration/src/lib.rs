//! What administrators configure (`admin`), and what all of its records share (`crud`).

pub mod admin;
pub mod crud;
