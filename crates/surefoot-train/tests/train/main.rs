//! Tests of training and scoring, linked into one binary.

mod calibration;
mod cross_validation;
mod damage;
mod knn_and_svm;
mod labelled_captures;
mod trees;
