//! Laws of the solver: each file states one, for generated, captured and random motions.

mod fixtures;

mod allocations;
mod ankle_jitter;
mod bodies;
mod floor_clearance;
mod floors;
mod foot_roll;
mod frame_rates;
mod hands;
mod holds;
mod incremental;
mod invariance;
mod invalid_input;
mod latency;
mod pelvis_jitter;
mod plant_spots;
mod plants_hold;
mod reach_limits;
mod rigid_foot;
mod settings_limits;
mod stream;
mod support_phase;
mod untouched;
