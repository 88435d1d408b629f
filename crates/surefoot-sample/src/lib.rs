//! Motions made from nothing.
