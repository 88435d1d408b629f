// Camera bookmarks: positions of the camera around the body, kept for all clips.

import type { CameraPlace } from '../view/camera'
import { view } from './editor'
import { showMessage } from './status'

const KEY = 'camera-bookmarks'

const stored = () => JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, CameraPlace | undefined>

/** Stores the present position of the camera under a number. */
export function keepCamera(number: string) {
  localStorage.setItem(KEY, JSON.stringify({ ...stored(), [number]: view.camera.place }))
  showMessage(`Camera kept: ${number} shows it again`)
}

/** Moves the camera to the position stored under a number. */
export function showCamera(number: string) {
  const place = stored()[number]
  if (!place) return showMessage(`Shift+${number} keeps the camera, then ${number} shows it again`)
  view.camera.place = place
  view.draw()
}
