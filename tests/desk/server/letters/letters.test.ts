import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../../../product.config.ts'
import { newHolder, thisMachine } from '../../../../src/announcement/run/dead-run.ts'
import type {
  LetterFormPage,
  LetterPage,
  LettersPage,
} from '../../../../src/desk/contract/letters.ts'
import { deskTimeouts } from '../../../../src/desk/server/letters/check-letter.ts'
import { remembered } from '../../../../src/desk/server/letters/letter-progress.ts'
import {
  asOptions,
  fromOptions,
  usualSettings,
} from '../../../../src/desk/server/letters/sending-settings.ts'
import { asJson } from '../../../../src/report/json.ts'
import type { Product } from '../../../../src/shared/product.ts'
import { openDesk } from '../../../fixtures/desk.ts'
import { enlist } from '../../../fixtures/enlist.ts'
import { tallyOf } from '../../../fixtures/tally.ts'
import { people, person } from '../../../store/contracts/people.ts'
import { notesIn } from './desk-pad.ts'

const env = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'The team <team@example.org>',
  PUBLIC_URL: 'https://example.org',
}
const launch = {
  name: 'launch',
  subject: 'We are live',
  text: '# Come in\n\n![a](https://x.example/a.png)',
}

async function desk(ofWhom: Product = product) {
  const at = await openDesk({ env, product: ofWhom })
  const write = (fields: Record<string, string> = {}) =>
    at.post('/desk/letters', { ...launch, ...fields })
  const page = async (name = 'launch') => (await at.get(`/desk/letters/${name}`)).page as LetterPage
  return { ...at, write, page }
}

/** As if somebody had it. */
async function tell({ store }: Awaited<ReturnType<typeof desk>>) {
  await store.list.importAll(people(2))
  await store.lock.acquire({ owner: 'x', host: 'elsewhere', pid: 1 }, 60_000)
  await store.ledger.begin('x', 'launch', { subject: 'We are live', digest: 'd' })
  await enlist(store, 'x', 'launch', people(2))
  await store.ledger.countEligible('x', 'launch')
  const [one] = await store.ledger.claim('x', 'launch', { limit: 1, which: 'untried' })
  if (one) await store.ledger.record('x', 'launch', [{ ...one, status: 'sent', answer: '250 ok' }])
  await store.lock.release('x')
}

describe('the letters at the desk', () => {
  it('are none at first, then those that were written, with what is wrong in them', async () => {
    const at = await desk()
    expect((await at.get('/desk/letters')).page).toMatchObject({ page: 'letters', letters: [] })
    await at.write()
    await at.write({ name: 'draft', text: 'Dear {{name}}' })
    expect(((await at.get('/desk/letters')).page as LettersPage).letters).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'launch',
          subject: 'We are live',
          mistakes: 0,
          state: 'unsent',
        }),
        expect.objectContaining({ name: 'draft', mistakes: 1, state: 'unsent' }),
      ]),
    )
    expect(await at.page('draft')).toMatchObject({
      mistakes: [
        '{{name}} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
      ],
      subject: 'We are live',
    })
  })

  it('are shown as the very message: its text, its size, its picture’s absence', async () => {
    const at = await desk()
    await at.write()
    const { look } = await at.page()
    expect(look).toMatchObject({ pictures: 1, text: expect.stringContaining('Come in') })
    const eml = await at.get('/desk/letters/launch/letter.eml')
    expect(eml.headers).toMatchObject({
      'content-type': 'message/rfc822',
      'content-disposition': 'attachment; filename="launch.eml"',
      'x-content-type-options': 'nosniff',
    })
    const { html = '' } = await PostalMime.parse(eml.body)
    const shown = await at.get('/desk/letters/launch/html?scheme=dark')
    expect(shown.body).toContain('<h1')
    expect(shown.body).toContain('@media (min-width: 0px) {')
    expect(shown.body).not.toMatch(/src="cid:/)
    expect(html).toContain('@media (prefers-color-scheme: dark) {')
    expect(shown.headers['content-security-policy']).toMatch(
      /^sandbox; default-src 'none'; img-src data:/,
    )
    expect(shown.headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  it('do not change in two tabs at once, and nothing that was typed is lost', async () => {
    const at = await desk()
    await at.write()
    const { version } = await at.page()
    expect((await at.write({ was: 'launch', version, text: 'First' })).statusCode).toBe(303)
    const second = await at.write({ was: 'launch', version, text: 'Second' })
    expect(second.statusCode).toBe(409)
    const form = second.page as LetterFormPage
    expect(form.error).toMatch(/was changed meanwhile/)
    expect(form.fields?.text).toBe('Second')
    expect((await at.write()).page).toMatchObject({
      error: 'There is a letter "launch" already: choose another name.',
    })
  })

  it('do not change once a run has begun, however long the look at the list took', async () => {
    const at = await desk()
    await at.write()
    const { version } = await at.page()
    const file = join(at.home.dataDir, 'letters/launch.md')
    const { lock, ledger } = at.store
    const { findAnnouncement } = ledger
    const run = { ...newHolder(), announcement: 'launch' }
    // What is looked at last: by then another tab has pressed "Send".
    ledger.findAnnouncement = async (id) => {
      await lock.acquire(run, 60_000)
      return findAnnouncement(id)
    }
    const answer = await at.write({ was: 'launch', version, text: 'Other' })
    expect(answer.page).toMatchObject({ error: expect.stringMatching(/is being sent/) })
    expect(readFileSync(file, 'utf8')).toContain('# Come in')
    ledger.findAnnouncement = findAnnouncement
    // A process that has ended before it sent anything.
    await lock.acquire({ ...run, pid: 2 ** 22 + 1 }, 60_000, run.owner)
    expect((await at.write({ was: 'launch', version, text: 'Other' })).statusCode).toBe(303)
  })

  it('that somebody has are read and copied, and neither changed nor removed', async () => {
    const at = await desk()
    await at.write()
    await tell(at)
    const { isOpen, version, progress } = await at.page()
    expect(isOpen).toBe(false)
    expect(progress).toMatchObject({ state: 'partly', tally: { sent: 1, queued: 1 } })
    expect((await at.write({ was: 'launch', version, text: 'Other' })).page).toMatchObject({
      error: expect.stringMatching(/^"launch" was sent to people already/),
    })
    expect((await at.get('/desk/letters/launch/edit')).statusCode).toBe(303)
    expect((await at.post('/desk/letters/launch/remove', {})).statusCode).toBe(409)
    const copy = (await at.get('/desk/letters/new?copy=launch')).page as LetterFormPage
    expect(copy).toMatchObject({
      wantedName: 'launch-2',
      version: '',
      fields: { subject: 'We are live' },
    })
    expect((await at.write({ name: 'launch-2' })).statusCode).toBe(303)
  })

  it('that were checked show the lights of the very text that was looked at', async () => {
    const at = await desk()
    await at.write()
    await at.post('/desk/letters/launch/check', {})
    const { check, version } = await at.page()
    expect(notesIn(check).length).toBeGreaterThan(0)
    await at.write({ was: 'launch', version, text: 'Another one' })
    expect((await at.page()).check).toBeUndefined()
  })

  it('of which a run is under way are counted as being sent, and as uncertain once it has died', async () => {
    const at = await desk()
    await at.store.list.importAll(people(2))
    await at.write()
    const run = { ...newHolder(), announcement: 'launch', notes: { stage: 'everyone' } }
    await at.store.lock.acquire(run, 60_000)
    await at.store.ledger.begin(run.owner, 'launch', { subject: 'We are live', digest: 'd' })
    await enlist(at.store, run.owner, 'launch', people(2))
    await at.store.ledger.countEligible(run.owner, 'launch')
    await at.store.ledger.claim(run.owner, 'launch', { limit: 1, which: 'untried' })
    expect((await at.page()).progress).toMatchObject({ state: 'sending', tally: { sending: 1 } })
    const dead = { ...run, owner: 'dead', pid: 2 ** 22 + 1 }
    await at.store.lock.acquire(dead, 60_000, run.owner)
    const { progress } = await at.page()
    expect(progress).toMatchObject({
      state: 'interrupted',
      goesOn: 'everyone',
      tally: { sending: 0, uncertain: 1, queued: 1 },
    })
    expect(asJson(progress.report)).toMatchObject({
      notSent: [{ email: person(1).email, status: 'uncertain' }],
      notes: expect.arrayContaining([{ code: 'balance', holds: true }]),
    })
    // Only the next run changes what is stored.
    expect((await tallyOf(at.store, 'launch')).sending).toBe(1)
  })

  it('that are sent at a terminal are stopped there, as Ctrl-C would', async () => {
    const at = await desk()
    await at.store.list.importAll(people(2))
    await at.write()
    const waiting = (...args: string[]) => {
      const started = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ...args])
      onTestFinished(() => void started.kill('SIGKILL'))
      return started
    }
    const [terminal, stranger] = [waiting('/x/src/cli/main.ts', 'announce', 'launch.md'), waiting()]
    const { pid } = terminal
    const holder = {
      ...{ owner: 'terminal', host: thisMachine(), pid: Number(pid) },
      ...{ announcement: 'launch', notes: { next: 'send' as const } },
    }
    // Anybody may have written the row.
    await at.store.lock.acquire({ ...holder, owner: 'x', pid: Number(stranger.pid) }, 60_000)
    expect((await at.post('/desk/letters/launch/stop', {})).page).toMatchObject({
      error: expect.stringContaining(`Process ${stranger.pid} does not look like the one that`),
    })
    await at.store.lock.release('x')
    expect(stranger.signalCode).toBeNull()
    await at.store.lock.acquire(holder, 60_000)
    await at.store.ledger.begin('terminal', 'launch', { subject: 'We are live', digest: 'd' })
    await enlist(at.store, 'terminal', 'launch', people(2))
    await at.store.ledger.countEligible('terminal', 'launch')
    await expect
      .poll(async () => notesIn((await at.page()).progress))
      .toContainEqual(
        expect.objectContaining({
          code: 'elsewhere',
          text: expect.stringContaining(`, process ${pid}, `),
        }),
      )
    expect((await at.post('/desk/letters/launch/stop', {})).statusCode).toBe(303)
    await expect.poll(() => terminal.signalCode).toBe('SIGINT')
  })

  it('that another desk has begun are not stopped by ending that desk', async () => {
    const at = await desk()
    await at.write()
    const begun = { ...newHolder(), announcement: 'launch', notes: { next: 'begin' as const } }
    await at.store.lock.acquire(begun, 60_000)
    expect((await at.page()).progress.state).toBe('starting')
    // Its process is this one.
    expect((await at.post('/desk/letters/launch/stop', {})).page).toMatchObject({
      error: 'The run is just being started. Press again in a moment.',
    })
  })

  it('that are announced from elsewhere are seen, and not written over', async () => {
    const at = await desk()
    await tell(at)
    expect(((await at.get('/desk/letters')).page as LettersPage).letters).toMatchObject([
      { name: 'launch', told: 1, of: 2 },
    ])
    expect((await at.write()).page).toMatchObject({
      error: '"launch" is the name of an announcement already: choose another.',
    })
  })

  it('answer bad input plainly: no 500, and nothing outside of their folder', async () => {
    const at = await desk()
    const secret = join(at.home.dataDir, 'secret.md')
    writeFileSync(secret, '---\nsubject: hidden words\n---\nhidden words')
    mkdirSync(join(at.home.dataDir, 'letters'), { mode: 0o700 })
    for (const name of ['..%2Fsecret', '%2e%2e%2fsecret', 'x%00', 'NOPE', 'none', '-'])
      for (const end of ['', '/html', '/letter.eml', '/letter.md', '/edit']) {
        const { statusCode, body } = await at.get(`/desk/letters/${name}${end}`)
        expect([200, 404], name + end).toContain(statusCode)
        expect(body, name + end).not.toContain('hidden words')
      }
    for (const end of ['check', 'test', 'send', 'stop', 'remove'])
      for (const name of ['none', '..%2Fsecret'])
        expect(
          (await at.post(`/desk/letters/${name}/${end}`, { to: 'a@b.example' })).statusCode,
        ).toBeLessThan(500)
    await at.write()
    for (const fields of [
      { rate: 'fast' },
      { dnsServer: '--force' },
      { dkimSelector: '--force' },
      { rate: '10 --force' },
    ]) {
      const answer = await at.post('/desk/letters/launch/check', fields)
      expect(answer.statusCode, JSON.stringify(fields)).toBe(409)
    }
  })
})

describe('a letter at the desk of a product in several languages', () => {
  const said = { pitch: 'Books', description: 'A shop for books.' }
  const inThree = { ...product, languages: { de: said, ar: said } }
  const german = { was: 'launch', language: 'de', subject: 'Es geht los', text: '# Kommt herein' }

  async function open() {
    const at = await desk(inThree)
    await at.write()
    const folder = join(at.home.dataDir, 'letters')
    const form = async (code = 'de') =>
      (await at.get(`/desk/letters/launch/edit?language=${code}`)).page as LetterFormPage
    const save = (fields: Record<string, string> = {}) =>
      at.post('/desk/letters', { ...german, version: '', ...fields })
    return { ...at, folder, form, save }
  }

  it('has a translation that begins with its text, and is a file that the command takes', async () => {
    const at = await open()
    const form = await at.form()
    expect(form).toMatchObject({
      fields: { subject: 'We are live', text: launch.text },
      version: '',
      translation: { code: 'de', label: 'German', isNew: true },
    })
    const saved = await at.save()
    expect(saved.headers.location).toBe('/desk/letters/launch?language=de')
    expect(readFileSync(join(at.folder, 'launch.de.md'), 'utf8')).toContain('subject: Es geht los')
    const page = await at.page()
    expect(page.languages).toMatchObject([
      { code: 'en', label: 'English', file: 'launch.md', subject: 'We are live' },
      { code: 'de', label: 'German', file: 'launch.de.md', subject: 'Es geht los', mistakes: [] },
      { code: 'ar', label: 'Arabic', subject: '' },
    ])
    expect(page).not.toHaveProperty('shown')
    const shown = (await at.get('/desk/letters/launch?language=de')).page
    expect(shown).toMatchObject({
      shown: 'de',
      look: { text: expect.stringMatching(/herein/) },
    })
    const list = (await at.get('/desk/letters')).page as LettersPage
    expect(list.letters).toMatchObject([{ name: 'launch', languages: ['de'] }])
  })

  it('is shown as each of its readers gets it', async () => {
    const at = await open()
    await at.save()
    const eml = async (query = '') => {
      const { body, headers } = await at.get(`/desk/letters/launch/letter.eml${query}`)
      return { ...(await PostalMime.parse(body)), name: headers['content-disposition'] }
    }
    expect(await eml()).toMatchObject({ subject: 'We are live' })
    const german = await eml('?language=de')
    expect(german).toMatchObject({
      subject: 'Es geht los',
      name: 'attachment; filename="launch.de.eml"',
    })
    expect(german.text).toContain('Abmelden: https://example.org/de/unsubscribe/')
    const shown = await at.get('/desk/letters/launch/html?language=de')
    expect(shown.body).toContain('lang="de"')
    expect((await at.get('/desk/letters/launch/letter.md?language=de')).body).toContain('herein')
  })

  it('takes no language that the product has not, none of its first, and none of a letter that is not there', async () => {
    const at = await open()
    for (const [fields, why] of [
      [{ language: 'fr' }, /"fr" is no language of product\.config\.ts, which has en, de, ar/],
      [{ language: 'en' }, /in the first language, as launch\.md is/],
      [{ language: '../x' }, /no language/],
      [{ was: 'gone' }, /no letter "gone" any more/],
      [{ was: '' }, /^A name has only/],
    ] as const) {
      const answer = await at.save(fields)
      expect(answer.statusCode, JSON.stringify(fields)).toBe(409)
      expect(answer.page).toMatchObject({
        error: expect.stringMatching(why),
        fields: { subject: 'Es geht los' },
      })
    }
    for (const code of ['fr', 'en', '..%2Fx', 'x'.repeat(99)])
      for (const end of ['/edit', '/html', '/letter.eml', '/letter.md'])
        expect((await at.get(`/desk/letters/launch${end}?language=${code}`)).statusCode).toBe(404)
    expect((await at.post('/desk/letters/launch/remove', { language: '../x' })).statusCode).toBe(
      404,
    )
    expect(readdirSync(at.folder)).toEqual(['launch.md'])
    expect((await at.save({ csrf: 'x' })).statusCode).toBe(403)
  })

  it('names what is wrong in a translation, and sends nothing until it is right or removed', async () => {
    const at = await open()
    writeFileSync(join(at.folder, 'launch.fr.md'), '---\nsubject: Ouvert\n---\nEntrez')
    await at.save({ from: 'else@example.net' })
    const { mistakes, languages, nextRun, version } = await at.page()
    expect(mistakes).toEqual([
      'launch.de.md: from: must be at the domain of the sender in launch.md',
      'launch.fr.md: "fr" is no language of product.config.ts, which has en, de, ar',
    ])
    expect(languages?.at(-1)).toMatchObject({ code: 'fr', isOffered: false })
    expect((await at.post('/desk/letters/launch/check', {})).statusCode).toBe(409)
    await at.store.list.importAll(people(1))
    const sent = await at.post('/desk/letters/launch/send', {
      ...{ stage: 'everyone', people: '1', run: String(nextRun), version },
    })
    expect(sent.page).toMatchObject({ error: expect.stringMatching(/must be at the domain/) })
    for (const language of ['de', 'fr']) await at.post('/desk/letters/launch/remove', { language })
    expect(readdirSync(at.folder)).toEqual(['launch.md'])
    expect((await at.page()).mistakes).toEqual([])
  })

  it('is another letter with each translation', async () => {
    const at = await open()
    const spoken = ['en', 'de-AT', 'ar', undefined]
    await at.store.list.importAll(
      people(4).map((one, i) => {
        const language = spoken[i]
        return language ? { ...one, extra: { language } } : one
      }),
    )
    await at.post('/desk/letters/launch/check', {})
    const before = await at.page()
    await at.save()
    const { check, version, nextRun } = await at.page()
    expect(check).toBeUndefined()
    await at.post('/desk/letters/launch/check', {})
    expect(before.version).not.toBe(version)
    const answer = await at.post('/desk/letters/launch/send', {
      ...{ stage: 'everyone', people: '4', run: String(nextRun), version: before.version },
    })
    expect(answer.page).toMatchObject({ error: expect.stringMatching(/has changed since/) })
  })

  it('that somebody has gets no translation and loses none, and is copied with all of them', async () => {
    const at = await open()
    await at.save()
    const { version } = await at.form()
    await tell(at)
    for (const fields of [{ version }, { language: 'ar' }])
      expect((await at.save(fields)).page).toMatchObject({
        error: expect.stringMatching(/was sent to people already, .*: copy the letter/),
      })
    expect((await at.get('/desk/letters/launch/edit?language=ar')).statusCode).toBe(303)
    const removed = await at.post('/desk/letters/launch/remove', { language: 'de' })
    expect(removed.statusCode).toBe(409)
    // Somebody changes it on the disk: as at the terminal, it is said, and goes on if forced.
    writeFileSync(join(at.folder, 'launch.de.md'), '---\nsubject: Anders\n---\nAnders')
    await at.post('/desk/letters/launch/check', {})
    expect(notesIn((await at.page()).check)).toContainEqual(
      expect.objectContaining({
        weight: 'bad',
        act: expect.objectContaining({ code: 'new-letter' }),
      }),
    )
    const copy = (await at.get('/desk/letters/new?copy=launch')).page as LetterFormPage
    await at.write({ name: copy.wantedName })
    expect((await at.post('/desk/letters/launch-2/remove', {})).statusCode).toBe(303)
    expect(readdirSync(at.folder).toSorted()).toEqual(['launch.de.md', 'launch.md'])
  })

  it('has none of this where the product has one language, whatever lies beside it', async () => {
    const at = await desk()
    await at.write()
    writeFileSync(join(at.home.dataDir, 'letters/launch.old.md'), 'notes')
    const page = await at.page()
    expect(page).not.toHaveProperty('languages')
    expect(page).not.toHaveProperty('shown')
    expect(page.mistakes).toEqual([])
    expect((await at.get('/desk/letters/launch/edit?language=old')).statusCode).toBe(404)
    await at.post('/desk/letters/launch/remove', {})
    expect(readdirSync(join(at.home.dataDir, 'letters'))).toEqual(['launch.old.md'])
  })
})

it('a test ends before a proxy gives up, whatever the mail server does', () => {
  // A look at the server takes twice as long as connecting; the rest is for what else is looked at.
  const { connect, message } = deskTimeouts
  expect(2 * connect + message).toBeLessThan(60_000 - 15_000)
})

it('hands on to the command all that was set, each option one word with its value, and reads it back', () => {
  const settings = {
    rate: '7',
    dkimSelector: 'k1',
    dnsServer: '127.0.0.1',
    alsoWhoGot: ['one', 'two'],
  }
  const args = [
    ...['--rate=7', '--dkim-selector=k1', '--dns-server=127.0.0.1'],
    ...['--also-who-got=one', '--also-who-got=two'],
  ]
  expect(asOptions(settings)).toEqual(args)
  expect(fromOptions(args)).toEqual(settings)
  expect(asOptions(usualSettings)).toEqual(['--rate=10'])
  expect(fromOptions([])).toEqual(usualSettings)
})

it('looks a letter up again where that failed or something was done, and seldom else', async () => {
  let looks = 0
  const { look, forget } = remembered(async (name) => {
    looks += 1
    if (looks === 1) throw new Error('away')
    return `${name} ${looks}`
  }, 60_000)
  await expect(look('launch')).rejects.toThrow('away')
  expect(await look('launch')).toBe('launch 2')
  expect([await look('launch'), await look('other')]).toEqual(['launch 2', 'other 3'])
  forget('launch')
  expect([await look('launch'), await look('other')]).toEqual(['launch 4', 'other 3'])
})
