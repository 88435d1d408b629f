// Counts the actions of the page, so that tests can wait for a state instead of a time.

export const activity = {
  /** Whether the page has loaded its core and opened its first file. */
  isStarted: false,
  /** Updates of the page after changes of the state. */
  refreshes: 0,
  /** Files that were chosen or dropped and then opened or refused. */
  filesHandled: 0,
  /** Time of the first picture since the start of navigation, in milliseconds. */
  firstPictureMs: 0,
  /** Time at which the captured motion of the last long file was shown, since the start of navigation, in milliseconds. */
  capturedMs: 0,
}
