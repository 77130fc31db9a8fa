/** @module-tag long */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { type Home, homeInFirestore, homeOnFile } from '../fixtures/home.ts'
import { launchPad } from '../fixtures/launch-pad.ts'
import { people } from '../store/contracts/people.ts'
import { amount, chance, isLong, report, seed } from './form.ts'

const EVERY_MS = 1000

interface Kept {
  readonly name: string
  readonly size: number
  readonly waves: number
  readonly kills: number
  readonly home: () => Home | Promise<Home>
}

function promises({ name, size, waves, kills, home }: Kept) {
  it(`killed ${kills} times within and between its waves tells nobody twice, misses nobody, and sends no wave early`, {
    timeout: amount(180_000, 7_200_000),
  }, async (context) => {
    const random = chance(seed)
    const count = size * waves
    const emails = people(count).map(({ email }) => email)
    const place = new Map(emails.map((email, i) => [email, i]))
    /** When the first and the last letter of each wave came. */
    const came: { first: number; last: number }[] = []
    const before = async (to: string) => {
      const wave = Math.floor((place.get(to) ?? 0) / size)
      came[wave] = { first: came[wave]?.first ?? Date.now(), last: Date.now() }
    }
    const pad = await launchPad(count, { home: await home(), relay: { before } })
    const { store, relay } = pad
    const plan = ['--waves', String(size), '--every', `${EVERY_MS / 1000}s`]
    let between = 0
    for (let n = 0; n < kills; n += 1) {
      const program = pad.startAnnounce(plan)
      // Some die on their way to a wave or while they wait for it, some in the middle of one.
      if (n % 2 === 0) await sleep(random() * 2500)
      else {
        const enough = relay.read.length + 1 + random() * Math.min(size, (2 * count) / kills)
        const giveUpAt = Date.now() + 4000
        while (relay.read.length < enough && program.isRunning() && Date.now() < giveUpAt)
          await sleep(1)
      }
      await program.end('SIGKILL')
      if ((await store.ledger.findAnnouncement('launch'))?.waves?.endedAt) between += 1
    }
    let { code, stdout, stderr } = await pad.announce(...plan)
    // A transaction that died with its process keeps others out for a minute or so.
    for (let n = 0; n < 12 && code === 1; n += 1) {
      expect(stderr).toMatch(/Firestore cannot be used/)
      ;({ code, stdout, stderr } = await pad.announce(...plan))
    }
    expect([0, 3], stderr).toContain(code)
    expect(stdout).toContain(`The balance holds: ${count.toLocaleString('en')} = `)
    expect(relay.read.length, 'somebody was sent two').toBe(new Set(relay.read).size)
    const got = new Set(pad.inboxes())
    const told: string[] = []
    for await (const { email = '', status } of store.ledger.deliveries('launch')) {
      expect(['sent', 'uncertain']).toContain(status)
      if (status === 'sent') expect(got.has(email), `${email} has it`).toBe(true)
      told.push(email)
    }
    expect(told.toSorted()).toEqual(emails.toSorted())
    for (const [i, wave] of came.entries()) {
      const next = came[i + 1]
      if (!next) continue
      expect(next.first - wave.last, `wave ${i + 2} came early`).toBeGreaterThanOrEqual(
        EVERY_MS / 2,
      )
    }
    const { uncertain } = await store.ledger.tally('launch')
    expect(uncertain).toBeLessThanOrEqual(kills * (5 + store.ledger.claiming.ahead))
    report(context, {
      done: `kill -9 of an announcement in ${waves} waves ${name}, at a random moment`,
      times: kills,
      result: `nobody was told twice, everybody is accounted for, no wave came early; ${between} kills fell between waves, ${uncertain} letters are uncertain (seed ${seed})`,
    })
  })
}

describe('an announcement in waves to a list in a file,', () => {
  promises({
    name: 'in a file',
    size: amount(40, 20),
    waves: amount(4, 600),
    kills: amount(7, 1000),
    home: homeOnFile,
  })
})

// In the long form alone: after a kill, what the dead one held is waited for up to a minute.
if (isLong)
  describe('an announcement in waves to a list in Firestore,', () => {
    // Only what is inside needs it.
    const emulator = withFirestoreEmulator()
    promises({
      name: 'in Firestore',
      size: 20,
      waves: 10,
      kills: 20,
      home: () => homeInFirestore(emulator().origin),
    })
  })
