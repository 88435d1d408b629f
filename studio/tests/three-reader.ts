// Reads motion files with the loaders of three.js in a browser, for tests that compare them with what surefoot reads.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import type { Browser, Page } from 'playwright-core'

/** The objects of a scene and their world matrices, column by column, for each frame. */
export interface Scene {
  names: string[]
  frames: number[][][]
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' }

const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="importmap">
{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }
</script>
<script type="module">
import * as THREE from 'three'
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'

async function load(name) {
  const bytes = await (await fetch('/file/' + encodeURIComponent(name))).arrayBuffer()
  if (name.endsWith('.fbx')) {
    const scene = new FBXLoader().parse(bytes, '')
    return { scene, animations: scene.animations }
  }
  return new GLTFLoader().parseAsync(bytes, '')
}

window.readScene = async (name, animation, frames, fps) => {
  const { scene, animations } = await load(name)
  const clip = animations[animation]
  const mixer = new THREE.AnimationMixer(scene)
  const action = mixer.clipAction(clip)
  // The last frame must not start from the beginning again.
  action.setLoop(THREE.LoopOnce)
  action.clampWhenFinished = true
  action.play()
  const start = Math.min(...clip.tracks.map(track => track.times[0]))
  const objects = []
  scene.traverse(object => objects.push(object))
  const matrices = []
  for (let frame = 0; frame < frames; frame++) {
    action.reset()
    mixer.setTime(start + frame / fps)
    scene.updateMatrixWorld(true)
    matrices.push(objects.map(object => object.matrixWorld.toArray()))
  }
  // The loaders keep the name of the file where they had to change it.
  const names = objects.map(object => object.userData.name ?? object.userData.originalName ?? object.name)
  return { names, frames: matrices }
}
</script>`

declare global {
  interface Window {
    readScene: (name: string, animation: number, frames: number, fps: number) => Promise<Scene>
  }
}

/** A page with the loaders of three.js. */
export class ThreeReader {
  private constructor(
    private readonly page: Page,
    private readonly close: () => void,
  ) {}

  static async start(browser: Browser): Promise<ThreeReader> {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
      const send = (type: string, bytes: Buffer | string) =>
        response.writeHead(200, { 'content-type': type }).end(bytes)
      if (path === '/') send('text/html', PAGE)
      else if (path.startsWith('/three/'))
        send(TYPES[extname(path)] ?? '', readFileSync(join('node_modules', normalize(path))))
      else send('application/octet-stream', readFileSync(path.slice('/file/'.length)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction(() => 'readScene' in window)
    return new ThreeReader(page, () => server.close())
  }

  /** The world matrices of all objects at each frame of an animation, in the unit of the file. */
  read(file: string, animation: number, frames: number, fps: number): Promise<Scene> {
    return this.page.evaluate(
      ([file, animation, frames, fps]) => window.readScene(file, animation, frames, fps),
      [file, animation, frames, fps] as const,
    )
  }

  async stop(): Promise<void> {
    await this.page.close()
    this.close()
  }
}
