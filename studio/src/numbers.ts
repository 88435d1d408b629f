// Arithmetic shared by the timeline and the view.

/** Limits a value to the range from `low` to `high`; `low` wins if the range is empty. */
export function clamp(value: number, low: number, high: number) {
  return Math.max(low, Math.min(high, value))
}

/** One value of an array whose index is known to be inside it. */
export function valueAt(numbers: Float32Array, index: number) {
  return numbers[index] ?? NaN
}
