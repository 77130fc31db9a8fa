import { expect, it } from 'vitest'
import { find } from '../../../src/cli/commands/find.ts'
import { nothingShown } from '../../../src/people/pending.ts'
import { nobody, type Person } from '../../../src/people/person.ts'
import type { Store } from '../../../src/store/store.ts'
import { localTime } from '../../../src/terminal/words.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { listening } from '../../fixtures/spoken.ts'

const at = (day: number) => new Date(2026, 10, day, 12)
const time = (day: number) => localTime(at(day))

/** A store that knows this of one address. */
const knowing = (more: { known?: Partial<Person>; deliveries?: object[] }) =>
  ({
    people: { of: async () => ({ ...nobody, email: 'ada@example.com', ...more.known }) },
    ledger: { deliveriesTo: async () => more.deliveries ?? [] },
  }) as unknown as Store

async function said(more: Parameters<typeof knowing>[0], json = false) {
  const { out, result } = listening()
  const code = await find(knowing(more), { email: ' Ada@Example.com ', json, linkKey }, out)
  return {
    code,
    result: result(),
    lines: result()
      .trimEnd()
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, ' | ')),
  }
}

const all = {
  known: {
    noes: { bounced: { at: at(9), detail: '550 no' } },
    importedAt: at(1),
    importedSource: { source: 'hn', medium: 'post', campaign: 'launch' },
    fields: {
      language: 'de',
      firstName: 'Ada',
      came: at(5).toISOString(),
      referral: { by: ids.of('bob@example.com'), at: at(2).toISOString() },
      stillInterested: at(6).toISOString(),
      answer: 'Rye',
      repliedAt: at(7).toISOString(),
      consent: {
        ...{ words: 'Notify me', page: 'a1', language: 'de', askedAt: at(3).toISOString() },
        ...{ messageId: '<1@a>', letterDigest: 'd', confirmedAt: at(4).toISOString() },
        how: 'button',
      },
    },
    pending: { askedAt: at(3), shown: nothingShown, letters: 1 },
  },
  deliveries: [
    { announcement: 'soon', status: 'sent', changedAt: at(4), language: 'de', answer: '250 ok' },
    {
      announcement: 'beta',
      status: 'suppressed',
      changedAt: at(7),
      standing: 'heard',
      answer: '451 later',
    },
    { announcement: 'open', status: 'queued', changedAt: at(8) },
  ],
}

it('tells everything that is known of an address, a line each', async () => {
  const { code, lines } = await said(all)
  expect(code).toBe(0)
  expect(lines).toEqual([
    'ada@example.com',
    `signed up | ${time(1)}, imported`,
    'came from | hn, medium post, campaign launch',
    'language | de',
    'first name | Ada',
    `brought by a personal link | ${time(2)}`,
    `became a user | ${time(5)}`,
    `still interested | ${time(6)}`,
    'answered | Rye',
    `replied | ${time(7)}`,
    `asked | ${time(3)}, and has not confirmed`,
    `confirmed | ${time(4)}, the receipt: bin/opening-bell consent ada@example.com`,
    `bounced | ${time(9)}, "550 no"`,
    `soon | sent, ${time(4)}, in de, "250 ok"`,
    `beta | suppressed, ${time(7)}, heard from you lately`,
    `open | queued, ${time(8)}`,
  ])
})

it('tells the same to programs, and nothing of what is not known', async () => {
  const { result } = await said(all, true)
  expect(JSON.parse(result)).toEqual({
    email: 'ada@example.com',
    subscribedAt: at(1).toISOString(),
    standing: { standing: 'bounced', at: at(9).toISOString(), detail: '550 no' },
    deliveries: [
      expect.objectContaining({ status: 'sent' }),
      expect.objectContaining({ status: 'suppressed', standing: 'heard' }),
      expect.objectContaining({ status: 'queued' }),
    ],
    imported: true,
    source: all.known.importedSource,
    language: 'de',
    firstName: 'Ada',
    came: at(5).toISOString(),
    referral: at(2).toISOString(),
    stillInterested: at(6).toISOString(),
    answer: 'Rye',
    repliedAt: at(7).toISOString(),
    asked: at(3).toISOString(),
    confirmed: at(4).toISOString(),
  })
  const bare = await said({ known: { signedUp: { first: at(1), lifts: at(1) } } }, true)
  expect([bare.code, JSON.parse(bare.result)]).toEqual([
    0,
    { email: 'ada@example.com', subscribedAt: at(1).toISOString(), standing: null, deliveries: [] },
  ])
})

it('ends with 3 where somebody is not on the list, whatever is known', async () => {
  expect(await said({})).toMatchObject({ code: 3, lines: ['ada@example.com', 'signed up | no'] })
  const asked = await said({
    known: { pending: { ...all.known.pending, confirmedAt: at(4) } },
  })
  expect(asked.lines).toHaveLength(2)
  expect(JSON.parse((await said({}, true)).result).subscribedAt).toBeNull()
  expect((await said({ known: { importedSource: { campaign: 'launch' } } })).lines[2]).toBe(
    'came from | campaign launch',
  )
  const { out } = listening()
  await expect(find(knowing({}), { email: 'ada', linkKey }, out)).rejects.toThrow(
    '"ada" is not an e-mail address.',
  )
})
