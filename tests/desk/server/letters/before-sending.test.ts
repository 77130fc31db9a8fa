import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { thisMachine } from '../../../../src/announcement/run/dead-run.ts'
import {
  isOutdated,
  type LetterFormPage,
  type LettersPage,
} from '../../../../src/desk/contract/letters.ts'
import { asJson } from '../../../../src/report/json.ts'
import type { RunNotes } from '../../../../src/store/run-notes.ts'
import { enlist } from '../../../fixtures/enlist.ts'
import { people, person } from '../../../store/contracts/people.ts'
import { deskPad, letter, notesIn } from './desk-pad.ts'

const errorOf = ({ page }: { page: unknown }) => (page as { error?: string } | undefined)?.error

/** As if a run had told the first of these, and failed with the second. */
async function told({ pad: { store } }: Awaited<ReturnType<typeof deskPad>>, count: number) {
  await store.lock.acquire({ owner: 'x', host: 'elsewhere', pid: 1 }, 60_000)
  await store.ledger.begin('x', 'launch', { subject: 'We are live', digest: 'd' })
  await enlist(store, 'x', 'launch', people(count))
  await store.ledger.countEligible('x', 'launch')
  const claimed = await store.ledger.claim('x', 'launch', { limit: 2, which: 'untried' })
  const ends = [
    { status: 'sent', answer: '250 ok' },
    { status: 'failed', answer: '550 no' },
  ] as const
  await store.ledger.record(
    'x',
    'launch',
    claimed.map((one, i) => ({ ...one, ...ends[i === 0 ? 0 : 1] })),
  )
  await store.lock.release('x')
}

it('a letter is not sent while a number, its text or a setting is not as it was looked at', async () => {
  const at = await deskPad(3)
  await at.write()
  const error = async (typed: string, more: Record<string, string> = {}) => {
    const answer = await at.send('everyone', typed, more)
    expect(answer.statusCode, typed).toBe(409)
    return errorOf(answer)
  }
  expect(await error('')).toMatch(/^Nothing was sent: no number was typed, and the letter/)
  expect(await error('4')).toBe(
    'Nothing was sent: "4" was typed, and the letter would go to 3 people now. Type 3 to send it.',
  )
  expect(await error('3x')).toMatch(
    /^Nothing was sent: "3x" was typed, and the letter would go to 3 people now/,
  )
  for (const typed of ['0x3', '3e0', '+3'])
    expect(await error(typed)).toMatch(/the letter would go to 3 people now/)
  expect(await error('3'.repeat(40))).toContain(`"${'3'.repeat(20)}"`)
  // However the number is written.
  const changed = 'The letter has changed since it was looked at. Nothing was sent.'
  for (const typed of [' 3 ', "3,.'’"])
    expect(await error(typed, { version: 'other' }), typed).toBe(changed)
  expect(await error('3', { rate: 'fast', dkimSelector: '-x' })).toMatch(
    /^Rate: .*\nDKIM selector: /,
  )
  expect(await error('3', { run: '2' })).toBe(
    'There was another run of this letter since that page was loaded. Look again. Nothing was sent.',
  )
  expect(errorOf(await at.send('failed', 0))).toBe('Nobody is left to send it to.')
  await at.pad.store.lock.acquire({ owner: 'x', host: 'elsewhere', pid: 7 }, 60_000)
  expect(await error('3')).toMatch(/^An announcement is being sent already\./)
  await at.pad.store.lock.release('x')
  // The same form, sent again when its number is another.
  const { lock } = at.pad.store
  await lock.acquire(
    { owner: 'x', host: thisMachine(), pid: 2 ** 22 + 1, announcement: 'launch' },
    1,
  )
  expect((await at.send('everyone', 4, { run: '1' })).statusCode).toBe(303)
  expect(readdirSync(join(at.home.dataDir, 'letters'))).toEqual(['launch.md'])
  expect(at.pad.inboxes()).toEqual([])
  expect(errorOf(await at.stop())).toBe('Nothing is being sent.')
})

it('a letter that was begun is checked for each stage that is left', async () => {
  const at = await deskPad(4)
  await at.write()
  await told(at, 4)
  await at.pad.store.list.add('late@example.com')
  await at.pad.store.list.add('robot@example.com', { suspicion: 'hidden-field' })
  // Once without a mail server to look at, and once with.
  for (const url of ['', at.env.SMTP_URL]) {
    at.env.SMTP_URL = url
    await at.check()
    const { check } = await at.page()
    const leftOut = notesIn(check).filter(({ label }) => label === 'Left out')
    expect(leftOut).toMatchObject([{ text: '1 quarantined for signs of a robot' }])
  }
  const page = await at.page()
  expect(page.check?.people).toEqual({ newcomers: 3, everyone: 2, failed: 1, uncertain: 0 })
  expect(page.progress).toMatchObject({
    state: 'partly',
  })
  expect(asJson(page.progress.report)).toMatchObject({
    notSent: [{ email: person(2).email, status: 'failed', answer: '550 no' }],
    notes: expect.arrayContaining([expect.objectContaining({ code: 'newcomers' })]),
  })
  await at.pad.store.standings.set([{ email: person(4).email, standing: 'unsubscribed' }])
  expect(errorOf(await at.send('everyone', 5))).toMatch(
    /^Nothing was sent: "5" was typed, and the letter would go to 1 person now\. Type 1 to send it\./,
  )
})

it('a check is no more shown once a terminal has sent some of the letters that it counted', async () => {
  const at = await deskPad(4)
  await at.write()
  await at.check()
  const { check } = await at.page()
  expect(check?.people).toEqual({ everyone: 4, 'one-per-cent': 1 })
  await told(at, 4)
  const after = await at.page()
  expect(after.check).toBeUndefined()
  // A page that was open meanwhile hides it by the numbers that reach it.
  expect(check && isOutdated(check, after.progress)).toBe(true)
  await at.check()
  const again = await at.page()
  expect(again.check?.people).toMatchObject({ everyone: 2, failed: 1 })
  // One that failed, and was sent again.
  const { tally } = again.progress
  const retried = { ...again.progress, tally: { ...tally, sent: tally.sent + 1, failed: 0 } }
  expect(again.check && isOutdated(again.check, retried)).toBe(true)
  expect(again.check && isOutdated(again.check, again.progress)).toBe(false)
})

it('a test is sent once, as the very letter, and says what became of it', async () => {
  let does: 'accept' | 'refuse' = 'refuse'
  const at = await deskPad(1, { behaviour: () => does })
  await at.write()
  const test = async (to: string, more: Record<string, string> = {}) => {
    const answer = await at.desk.post('/desk/letters/launch/test', { ...at.sending, to, ...more })
    return errorOf(answer) ?? (await at.page()).test
  }
  expect(await test('me@example.org')).toEqual({
    to: 'me@example.org',
    isSent: false,
    text: expect.stringMatching(/^The test was not accepted \(\w+\): 550 /),
    notes: [],
  })
  does = 'accept'
  // One that was not accepted is sent again at once, and one that was is not.
  expect(await test('me@example.org')).toEqual({
    to: 'me@example.org',
    isSent: true,
    text: expect.stringMatching(/^A test is on its way to me@example\.org: 250 /),
    notes: [],
  })
  expect(await test('me@example.org')).toEqual({
    to: 'me@example.org',
    isSent: true,
    text: 'It was just sent to me@example.org. In half a minute it can be sent again.',
    notes: [],
  })
  expect(at.pad.inboxes()).toEqual(['me@example.org'])
  expect((await at.pad.relay.messageTo('me@example.org')).subject).toBe('We are live')
  expect(await at.page()).not.toHaveProperty('test')
  expect(await test('no address')).toBe('"no address" is not an e-mail address.')
  // Pressed twice at the same time it is one, and another address is another test.
  await Promise.all([test('you@example.org'), test('you@example.org')])
  expect(at.pad.inboxes()).toEqual(['me@example.org', 'you@example.org'])
  // A mail server that is away is said, and another text is another test.
  await at.write({ was: 'launch', version: (await at.page()).version, text: '# Another' })
  await at.pad.relay.close()
  expect(await test('me@example.org')).toMatchObject({ isSent: false, text: expect.any(String) })
  expect(await at.pad.store.ledger.announcements()).toEqual([])
  expect(existsSync(join(at.home.dataDir, 'letters/launch.1.log'))).toBe(false)
})

it('a test says which problems keep it from being sent', async () => {
  const at = await deskPad(1)
  await at.write()
  await at.pad.app.close()
  await at.desk.post('/desk/letters/launch/test', { ...at.sending, to: 'me@example.org' })
  const { test } = await at.page()
  expect(test).toMatchObject({
    isSent: false,
    text: 'These problems prevent it.',
    notes: [{ label: 'Unsubscribing', weight: 'bad' }],
  })
  expect(at.pad.inboxes()).toEqual([])
})

it('a letter is neither sent nor tested without the settings of mail, and these are named', async () => {
  const at = await deskPad(2, { more: { SMTP_URL: '' } })
  await at.write({ from: '' })
  const page = await at.page()
  expect(page).toMatchObject({
    missing: [expect.stringMatching(/^SMTP_URL: /)],
    mistakes: ['from: is missing; name a sender here or in MAIL_FROM'],
  })
  const tested = at.desk.post('/desk/letters/launch/test', { to: 'me@example.org' })
  for (const answer of [await at.send('everyone', 2), await tested])
    expect(errorOf(answer)).toMatch(/^SMTP_URL: /)
  expect(existsSync(join(at.home.dataDir, 'letters/launch.1.log'))).toBe(false)
})

it('a form that comes back has what was typed, and a letter without a file its announcement', async () => {
  const at = await deskPad(2)
  const form = async (fields: Record<string, string>) =>
    (await at.write(fields)).page as LetterFormPage
  expect(
    await form({ name: 'NOPE', preview: ' Soon ', 'reply-to': ' a@example.org ' }),
  ).toMatchObject({
    page: 'letter-form',
    wantedName: 'NOPE',
    version: '',
    fields: {
      subject: letter.subject,
      preview: 'Soon',
      from: letter.from,
      'reply-to': 'a@example.org',
      text: letter.text,
    },
    error: expect.stringMatching(/^A name has only a–z, /),
  })
  await at.write()
  expect(await form({ was: 'launch', name: '', version: 'old' })).toMatchObject({
    name: 'launch',
    wantedName: 'launch',
    version: 'old',
  })
  // A text that no fields can hold comes back whole.
  expect(await form({ name: 'NOPE', source: 'a: b\r\nno letter' })).toMatchObject({
    source: 'a: b\nno letter',
  })
  const fresh = (await at.desk.get('/desk/letters/new')).page as LetterFormPage
  expect(fresh).toMatchObject({
    wantedName: '',
    version: '',
    fields: { subject: '', preview: '', from: '', 'reply-to': '', text: '' },
  })
  const folder = join(at.home.dataDir, 'letters')
  for (const name of ['launch-2', 'launch-3']) writeFileSync(join(folder, `${name}.md`), 'x')
  const copy = async (name: string) =>
    ((await at.desk.get(`/desk/letters/new?copy=${name}`)).page as LetterFormPage).wantedName
  expect([await copy('launch'), await copy('launch-3'), await copy('none')]).toEqual([
    'launch-4',
    'launch-4',
    '',
  ])
  await told(at, 2)
  await at.desk.post('/desk/letters/launch-2/remove', {})
  await at.page()
  const {
    letters,
    elsewhere,
    folder: path,
  } = (await at.desk.get('/desk/letters')).page as LettersPage
  expect(path).toBe(folder)
  expect(elsewhere).toBeUndefined()
  expect(letters.map(({ name, state, told, of }) => [name, state, told, of])).toEqual(
    expect.arrayContaining([
      ['launch', 'told', 1, 2],
      ['launch-3', 'unsent', 0, 0],
    ]),
  )
  await at.pad.store.lock.acquire({ owner: 'y', host: 'elsewhere', pid: 7 }, 60_000)
  expect(((await at.desk.get('/desk/letters')).page as LettersPage).elsewhere).toBe(
    'A letter is being sent on elsewhere, by process 7.',
  )
})

it('a letter is given as what it is: as a page in a frame, and as files', async () => {
  const at = await deskPad(1)
  await at.write()
  const type = async (end: string) => {
    const { headers } = await at.desk.get(`/desk/letters/launch/${end}`)
    return [headers['content-type'], headers['content-disposition']]
  }
  expect(await type('html')).toEqual(['text/html; charset=utf-8', undefined])
  expect(await type('letter.md')).toEqual([
    'text/markdown; charset=utf-8',
    'attachment; filename="launch.md"',
  ])
  const light = (await at.desk.get('/desk/letters/launch/html')).body
  expect(light).toContain(':root{color-scheme:light !important}')
  expect((await at.desk.get('/desk/letters/launch/html?scheme=dark')).body).toContain(
    ':root{color-scheme:dark !important}',
  )
})

it('a letter may be sent in spite of problems once a run was held back by them, or was forced', async () => {
  const at = await deskPad(1)
  await at.write()
  const { lock } = at.pad.store
  const begin = (notes: RunNotes) =>
    lock.acquire({ owner: 'x', host: 'x', pid: 1, announcement: 'launch', notes }, 60_000, 'x')
  expect((await at.page()).mayForce).toBe(false)
  await begin({ options: ['--rate=7', '--dkim-selector=k1'] })
  expect(await at.page()).toMatchObject({
    mayForce: false,
    nextRun: 2,
    settings: { rate: '7', dkimSelector: 'k1' },
  })
  const found = [{ code: 'page-not-set', verdict: 'problem' }] as const
  await lock.renew('x', 60_000, { found, end: { why: 'problem', answer: '' } })
  expect((await at.page()).mayForce).toBe(true)
  await begin({})
  expect((await at.page()).mayForce).toBe(false)
  await begin({ found })
  expect((await at.page()).mayForce).toBe(true)
})

it('a letter that was put there by hand is shown with what is wrong in it', async () => {
  const at = await deskPad(0)
  const folder = join(at.home.dataDir, 'letters')
  await at.write({ name: 'other' })
  writeFileSync(join(folder, 'launch.md'), '---\nsubject: Soon\n---\n')
  const page = await at.page()
  expect(page).toMatchObject({
    subject: 'Soon',
    preview: '',
    from: '',
    source: '---\nsubject: Soon\n---\n',
    isOpen: true,
    earlier: [],
    changedAt: expect.any(Number),
    missing: [],
  })
  expect(page).not.toHaveProperty('look')
  expect(page.mistakes.length).toBeGreaterThan(0)
  const other = await at.page('other')
  expect(other).toMatchObject({ mistakes: [], from: letter.from })
  expect(other).not.toHaveProperty('source')
})
