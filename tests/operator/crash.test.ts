/** @module-tag thorough */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unsubscribeTokens } from '../../src/shared/unsubscribe-token.ts'
import { keptLinkKey } from '../../src/store/link-key.ts'
import { people, person } from '../contracts/people.ts'
import { ended } from '../run.ts'
import { startSite } from '../running-site.ts'
import { copyOfServer } from '../server-copy.ts'
import { type LaunchOptions, launchPad } from './launch-pad.ts'

/** The long form takes minutes: 5,000 subscribers and 20 kills. */
const isLong = process.env.CRASH_TEST === 'long'
const [subscribers, kills] = isLong ? [5000, 20] : [400, 6]
const timeout = isLong ? 1_800_000 : 180_000

const emails = (count: number) => people(count).map(({ email }) => email)

/** A launch pad whose server is a process of its own, on the same data. */
async function pad(count: number, options: LaunchOptions = {}) {
  const site = await startSite({ root: copyOfServer() })
  onTestFinished(site.stop)
  return { site, ...(await launchPad(count, { ...options, served: site })) }
}

type Pad = Awaited<ReturnType<typeof pad>>

/** Nobody was sent two, and the ledger says of everybody what is true. */
async function expectTruth({ relay, store, inboxes }: Pad, count: number) {
  expect(relay.read.length, 'somebody was sent two').toBe(new Set(relay.read).size)
  const got = new Set(inboxes())
  const told: string[] = []
  for await (const { email, status } of store.deliveries('launch')) {
    expect(['sent', 'uncertain']).toContain(status)
    if (status === 'sent') expect(got.has(email ?? ''), `${email} has it`).toBe(true)
    told.push(email ?? '')
  }
  expect(told.toSorted()).toEqual(emails(count).toSorted())
}

describe('an announcement that is killed', () => {
  it(`and resumed, ${kills} times at random moments, tells nobody twice and accounts for everybody`, {
    timeout,
  }, async () => {
    const here = await pad(subscribers)
    const { relay, site } = here
    for (let n = 0; n < kills; n += 1) {
      // In between, the server loses its power as well.
      if (n % 3 === 1) {
        await site.kill()
        await site.restart()
      }
      const program = here.startAnnounce()
      const unlock = n % 3 === 2 ? site.lockDatabase() : undefined
      if (unlock) setTimeout(unlock, 500)
      // Some die on the way to the first message, most in the middle.
      if (n % 4 === 0) await sleep(Math.random() * 1500)
      else {
        const enough = relay.read.length + Math.random() * ((2 * subscribers) / kills)
        while (relay.read.length < enough && program.isRunning()) await sleep(1)
      }
      await program.end('SIGKILL')
    }
    const { code, stdout } = await ended(here.startAnnounce())
    expect([0, 3]).toContain(code)
    expect(stdout).toContain(`The balance holds: ${subscribers.toLocaleString('en')} = `)
    await expectTruth(here, subscribers)
    // Each kill may leave no more in the air than there are connections.
    const { uncertain } = await here.store.tally('launch')
    expect(uncertain).toBeLessThanOrEqual(kills * 5)
  })

  it('with the disk full goes on where it was once there is room', { timeout }, async () => {
    const here = await pad(300)
    const program = here.startAnnounce([], '1000')
    await program.printed(/The database cannot be used/)
    const told = here.relay.read.length
    expect(told).toBeLessThan(300)
    await program.end('SIGKILL')
    expect((await here.announce()).stdout).toContain('The balance holds: 300 = ')
    await expectTruth(here, 300)
    expect((await here.store.tally('launch')).uncertain).toBeLessThanOrEqual(5)
  })
})

describe('while an announcement runs', () => {
  it('who is forgotten or unsubscribes gets nothing any more', { timeout }, async () => {
    const goOn = Promise.withResolvers<void>()
    const isLate = (to: string) => emails(100).indexOf(to) >= 20
    const before = async (to: string) => isLate(to) && goOn.promise
    const here = await pad(100, { relay: { before } })
    const token = unsubscribeTokens(keptLinkKey(here.dataDir)).sign(here.ids.of(person(99).email))
    const program = here.startAnnounce()
    await expect.poll(() => here.relay.read.length, { timeout: 30_000 }).toBe(20)
    expect(await here.run(['forget', person(100).email])).toMatchObject({ code: 0 })
    const answer = await fetch(`${here.url}/unsubscribe/${token}`, { method: 'POST' })
    expect(answer.status).toBe(200)
    goOn.resolve()
    const { code, stdout } = await ended(program)
    expect(code).toBe(0)
    expect(stdout).toContain('The balance holds: 100 = 98 + 0 + 0 + 1 + 1 + 0')
    expect(stdout).not.toContain(person(100).email)
    expect(here.inboxes().toSorted()).toEqual(emails(98).toSorted())
  })
})
