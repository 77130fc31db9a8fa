/** @module-tag thorough */
import { expect, it, onTestFinished } from 'vitest'
import { watchOpening } from '../../../src/opening/watch-opening.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { newProject, openFirestore } from '../every-store.ts'

const emulator = withFirestoreEmulator()

it('servers on Firestore are told of an opening at once, long before they look, and end cleanly', async () => {
  const projectId = await newProject(emulator().origin)
  const stores = Array.from({ length: 3 }, () => openFirestore(emulator().origin, projectId))
  const [operator, ...servers] = stores
  const watches = servers.map((store) =>
    watchOpening(store.opening, (fault) => expect.unreachable(String(fault))),
  )
  const urls = () => watches.map((watch) => watch.url())
  onTestFinished(async () => {
    for (const watch of watches) await watch.close()
    for (const store of stores) await store.close()
  })
  await Promise.all(watches.map((watch) => watch.looked))

  const url = 'https://app.example.com/'
  const soon = new Date(Date.now() + 1500)
  await operator?.opening.set({ url, at: soon, zone: 'UTC', openedAt: undefined })
  // Far less than the 20 seconds after which they would have looked.
  await expect.poll(urls, { timeout: 5000 }).toEqual([url, url])
  await expect.poll(() => operator?.opening.get()).toMatchObject({ openedAt: expect.any(Date) })
  await operator?.opening.undo()
  await expect.poll(urls, { timeout: 5000 }).toEqual([undefined, undefined])
})
