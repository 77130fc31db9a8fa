/** @module-tag thorough */
import { writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import product from '../../../src/product/product.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'

const letterIn = (subject: string, text = 'Hello') =>
  `---\nsubject: ${subject}\nfrom: The team <team@example.org>\n---\n${text}\n`

/** Everything for an announcement of a product in English, Arabic and German, with its readers. */
async function launchInLanguages() {
  const words = { pitch: 'Books', description: 'A shop for books.' }
  const before = product.languages
  Object.assign(product, { languages: { ar: words, de: words } })
  onTestFinished(() => void Object.assign(product, { languages: before }))
  const pad = await launchPad(0, { languages: ['en', 'ar', 'de'] })
  const spoken = { ar: 'ar', en: 'en', german: 'de-AT', nobody: undefined }
  await pad.store.list.importAll(
    Object.entries(spoken).map(([name, language], i) => ({
      email: `${name}@example.com`,
      subscribedAt: new Date(Date.UTC(2026, 0, i + 1)),
      ...(language && { extra: { language } }),
    })),
  )
  const beside = (code: string, subject: string, text?: string) =>
    writeFileSync(pad.launch.replace(/md$/, `${code}.md`), letterIn(subject, text))
  const subjects = async () => {
    const all = await Promise.all(
      pad.relay.accepted.map(async ({ to }) => [to, (await pad.relay.messageTo(to)).subject]),
    )
    return Object.fromEntries(all)
  }
  return { ...pad, beside, subjects }
}

it('tests each letter, and keeps which one each got', async () => {
  const pad = await launchInLanguages()
  pad.beside('ar', 'نحن هنا')
  const dry = await pad.announce('--dry-run', '--all', '--dkim-selector', 'k1')
  expect(dry.code).toBe(0)
  for (const path of ['en', 'ar', 'de'])
    expect(dry.stderr).toContain(`${pad.url}/${path}/unsubscribe works`)
  expect(dry.stderr).toMatch(/^To send +4 {2}of 4 people$/m)

  const test = await pad.announce('--to', 'me@example.com')
  expect(test.stderr).toMatch(/Time: 2 to send/)
  expect(test.stderr).toContain('A test in en is on its way')
  expect(test.stderr).toContain('A test in ar is on its way')
  expect(pad.inboxes()).toEqual(['me@example.com', 'me@example.com'])

  expect(await pad.announce()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The balance holds: 4 = 4 sent'),
  })
  expect(await pad.subjects()).toMatchObject({
    'ar@example.com': 'نحن هنا',
    'german@example.com': 'We are live',
  })
  const { stdout } = await pad.run(['deliveries', 'launch'])
  expect(stdout).toMatch(/ar@example\.com {2}in ar/)
  expect(stdout).toMatch(/german@example\.com {2}in en/)
  expect((await pad.run(['find', 'german@example.com'])).stdout).toMatch(/Language +de-AT/)
})
