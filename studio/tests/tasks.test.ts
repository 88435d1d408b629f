// The tasks for newcomers in the book lead to their results by what the page shows.

import { test } from 'node:test'
import { drawn } from './actions.ts'
import { closeStudio, openStudio, useStudio } from './setup.ts'
import { TASKS } from './tasks.ts'

useStudio()

for (const { name, steps } of TASKS) {
  test(`a newcomer can ${name}`, async () => {
    const page = await openStudio()
    for (const { run } of steps) {
      await run(page)
      await drawn(page)
    }
    await closeStudio(page)
  })
}
