/** @module-tag thorough */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Home, homeOnFile } from '../fixtures/home.ts'
import { type LaunchOptions, launchPad } from '../fixtures/launch-pad.ts'
import { ended } from '../fixtures/run.ts'
import { startSite } from '../fixtures/running-site.ts'
import { withCopyOfServer } from '../fixtures/server-copy.ts'
import { tallyOf } from '../fixtures/tally.ts'
import { people, person } from '../store/contracts/people.ts'
import { amount, chance, report, seed } from './form.ts'

const timeout = amount(180_000, 1_800_000)

const emails = (count: number) => people(count).map(({ email }) => email)

const copy = withCopyOfServer()

/** A launch pad whose server is a process of its own, on the same subscribers. */
async function padIn(home: Home, count: number, options: LaunchOptions = {}) {
  const site = await startSite({ root: copy(), folder: home.folder, env: home.env })
  onTestFinished(site.stop)
  const { url } = site
  return { site, linkKey: home.linkKey, ...(await launchPad(count, { ...options, home, url })) }
}

type Pad = Awaited<ReturnType<typeof padIn>>

/** Nobody was sent two, and the ledger says of everybody what is true. */
async function expectTruth({ relay, store, inboxes }: Pad, count: number) {
  expect(relay.read.length, 'somebody was sent two').toBe(new Set(relay.read).size)
  const got = new Set(inboxes())
  const told: string[] = []
  for await (const { email, status } of store.ledger.deliveries('launch')) {
    expect(['sent', 'uncertain']).toContain(status)
    if (status === 'sent') expect(got.has(email ?? ''), `${email} has it`).toBe(true)
    told.push(email ?? '')
  }
  expect(told.toSorted()).toEqual(emails(count).toSorted())
}

interface Kept {
  readonly name: string
  readonly subscribers: number
  readonly kills: number
  readonly home: () => Home | Promise<Home>
  /** Takes the store away. @returns brings it back. */
  readonly away: (pad: Pad) => (() => void) | Promise<() => void>
}

function promises({ name, subscribers, kills, home, away }: Kept) {
  const pad = async (count: number, options?: LaunchOptions) => padIn(await home(), count, options)

  it(`killed ${kills} times at random moments, and resumed, tells nobody twice and accounts for everybody`, {
    timeout,
  }, async (context) => {
    const random = chance(seed)
    const here = await pad(subscribers)
    const { relay, site } = here
    for (let n = 0; n < kills; n += 1) {
      // In between, the server loses its power as well.
      if (n % 3 === 1) {
        await site.kill()
        await site.restart()
      }
      const program = here.startAnnounce()
      const back = n % 3 === 2 ? await away(here) : undefined
      if (back) setTimeout(back, 500)
      // Some die on the way to the first message, most in the middle.
      if (n % 4 === 0) await sleep(random() * 1500)
      else {
        const enough = relay.read.length + random() * ((2 * subscribers) / kills)
        while (relay.read.length < enough && program.isRunning()) await sleep(1)
      }
      await program.end('SIGKILL')
    }
    const { code, stdout, stderr } = await here.announce()
    expect([0, 3], stderr).toContain(code)
    expect(stdout).toContain(`The balance holds: ${subscribers.toLocaleString('en')} = `)
    await expectTruth(here, subscribers)
    // Each kill may leave no more in the air than there are connections.
    const { uncertain } = await tallyOf(here.store, 'launch')
    expect(uncertain).toBeLessThanOrEqual(kills * 5)
    report(context, {
      done: `kill -9 of an announcement to ${subscribers.toLocaleString('en')} ${name}, at a random moment`,
      times: kills,
      result: `nobody was told twice, everybody is accounted for, ${uncertain} of them as uncertain (seed ${seed})`,
    })
  })

  it('goes on, or stops plainly, when its store is away for a while', {
    tags: 'long',
    timeout,
  }, async (context) => {
    let asked = false
    let back: (() => void) | undefined
    const leave = person(20).email
    const here = await pad(60, {
      behaviour: (to) => {
        if (to === leave && !asked) {
          asked = true
          Promise.resolve(away(here)).then((bringBack) => {
            back = bringBack
          })
        }
        return 'accept'
      },
    })
    onTestFinished(() => back?.())
    const program = here.startAnnounce()
    await expect.poll(() => back, { timeout: 30_000 }).toBeDefined()
    // As long as a store is waited for, so that some of what it is asked for is lost.
    await expect(here.store.checkWritable()).rejects.toThrow(/cannot be used/)
    expect(here.relay.read.length).toBeLessThan(60)
    back?.()
    const { code, stderr } = await ended(program)
    expect([0, 1]).toContain(code)
    expect(stderr).not.toMatch(/ at .*:\d+:\d+/)
    const again = await here.announce()
    expect(again).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('The balance holds: 60 = 60 sent')
    await expectTruth(here, 60)
    report(context, {
      done: `the store away in the middle of an announcement ${name}`,
      times: 1,
      result: 'nobody was told twice, everybody was told',
    })
  })
}

describe('an announcement to a list in a file,', () => {
  const kept: Kept = {
    name: 'in a file',
    subscribers: amount(200, 5000),
    kills: amount(3, 20),
    home: homeOnFile,
    away: ({ site }) => site.lockDatabase(),
  }
  promises(kept)

  it('with the disk full goes on where it was once there is room', {
    tags: 'long',
    timeout,
  }, async (context) => {
    const here = await padIn(homeOnFile(), 300)
    const program = here.startAnnounce([], '1000')
    await program.printed(/The database cannot be used/)
    const told = here.relay.read.length
    expect(told).toBeLessThan(300)
    await program.end('SIGKILL')
    expect((await here.announce()).stdout).toContain('The balance holds: 300 = ')
    await expectTruth(here, 300)
    expect((await tallyOf(here.store, 'launch')).uncertain).toBeLessThanOrEqual(5)
    report(context, {
      done: 'the disk full in the middle of an announcement',
      times: 1,
      result: 'nobody was told twice, everybody is accounted for',
    })
  })
})
