// The message for a request in which the WebAssembly code trapped.

import type { Request } from './messages'

/** Memory of the core, in bytes, from which a trap is probably a lack of memory. */
const MUCH_MEMORY = 2 ** 31

/** A sentence about a request that failed while the core used this much memory, in bytes. */
export function failureOf(request: Request, memory: number) {
  const cause = memory > MUCH_MEMORY ? 'there was not enough memory' : 'an internal error occurred'
  return `${actionOf(request)} failed: ${cause}.`
}

/** What a request does, as the user sees it. */
function actionOf(request: Request) {
  if (request.kind === 'write') return `Writing the ${request.output}`
  return 'name' in request ? `${ACTIONS[request.kind]} ${request.name}` : ACTIONS[request.kind]
}

const ACTIONS: Record<Exclude<Request['kind'], 'write'>, string> = {
  sample: 'Making the sample walk',
  format: 'Recognising the file',
  open: 'Opening',
  read_plants: 'Reading',
  about: 'Showing the motion',
  detect: 'Detecting plants',
  clean: 'Cleaning the motion',
  positions: 'Showing the motion',
  mesh: 'Reading the mesh',
  bones: 'Showing the mesh',
  curves: 'Drawing the curves',
  joint_offset: 'Moving the foot point',
  figures: 'Measuring the motion',
}
