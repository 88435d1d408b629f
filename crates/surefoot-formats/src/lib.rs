//! Motion files to Motion and back. The only place that converts units and axes.
