/** @module-tag long */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ago, appId, inboxStage } from '../collect/inbox-stage.ts'
import { startDelayingProxy } from '../emulators/delaying-proxy.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { amount, chance, report, seed } from './form.ts'

const PEOPLE = amount(3000, 20_000)
const KILLS = amount(10, 300)

describe('taking in from Firestore', { timeout: 3_600_000 }, () => {
  const emulator = withFirestoreEmulator()

  it('loses and doubles nobody, though it is killed at any moment', async (context) => {
    const random = chance(seed)
    const { project, newFolder, open, write } = inboxStage(emulator().origin)
    const folder = newFolder()
    const env = {
      ...process.env,
      FILE: folder.file,
      KEY: folder.linkKey.toString(),
      PROJECT: project,
      APP_ID: appId,
    }
    const life = () =>
      spawn(process.execPath, [join(import.meta.dirname, 'collecting/life.ts')], { env })
    await write(
      Array.from(
        { length: PEOPLE },
        (_, n) => [`visitor${n}@example.com`, ago(PEOPLE - n)] as const,
      ),
    )
    let killed = 0
    for (let n = 0; n < KILLS; n += 1) {
      const child = life()
      const ended = once(child, 'exit')
      await Promise.race([ended, sleep(300 + random() * 1500)])
      if (child.exitCode === null) killed += 1
      child.kill('SIGKILL')
      await ended
    }
    const last = life()
    const [code] = await once(last, 'exit')
    expect(code).toBe(0)
    const { store, collecting } = open(folder)
    const emails: string[] = []
    for await (const { email } of store.list.stream({ standing: 'all' })) emails.push(email)
    expect(emails).toEqual(Array.from({ length: PEOPLE }, (_, n) => `visitor${n}@example.com`))
    expect(await collecting.counted()).toBe(PEOPLE)
    const { quarters } = await store.growth.since(ago(9 * 86_400))
    expect(quarters.reduce((sum, { number }) => sum + number, 0)).toBe(PEOPLE)
    report(context, {
      done: 'kill -9 of taking in from Firestore, at a random moment',
      times: killed,
      result: `${PEOPLE} people on the list, once each (seed ${seed})`,
    })
  })

  it('takes in from 80 ms away, at a rate that is told', async (context) => {
    const proxy = await startDelayingProxy(emulator().origin, 80)
    const { open, write } = inboxStage(emulator().origin, proxy.origin)
    await write(
      Array.from(
        { length: PEOPLE },
        (_, n) => [`visitor${n}@example.com`, ago(PEOPLE - n)] as const,
      ),
    )
    const { collect, store } = open()
    const began = performance.now()
    await collect.toTheEnd()
    const perSecond = PEOPLE / ((performance.now() - began) / 1000)
    expect(await store.list.count()).toBe(PEOPLE)
    report(context, {
      done: 'taking in from Firestore 80 ms away',
      times: PEOPLE,
      result: `${Math.round(perSecond)} a second`,
    })
    await proxy.close()
  })
})
