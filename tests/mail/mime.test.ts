import PostalMime from 'postal-mime'
import { expect, it, onTestFinished } from 'vitest'
import type { Message } from '../../src/mail/mailer.ts'
import { mimeOf } from '../../src/mail/mime.ts'
import { smtpMailer } from '../../src/mail/smtp-mailer.ts'
import { startRelay } from '../fixtures/relay.ts'

const message: Message = {
  from: 'The team of Кестрел <team@example.org>',
  replyTo: 'answers@example.org',
  to: 'ada@example.com',
  subject: 'We are live — at last',
  html: `<p>Hello</p><img src="cid:mark">${'<p>A long line. </p>'.repeat(200)}`,
  text: 'Hello\n\n-- \nThe team',
  messageId: '<one@example.org>',
  headers: { 'List-Unsubscribe': '<https://example.org/unsubscribe/token>' },
  pictures: [{ cid: 'mark', png: Buffer.from('a picture') }],
}

/** What differs from one sending of the same message to the next. */
function withoutChance(raw: string) {
  const marks = [...raw.matchAll(/boundary="([^"]+)"/g)].map(([, mark = '']) => mark)
  return marks
    .reduce((text, mark, i) => text.replaceAll(mark, `mark${i}`), raw)
    .replace(/^Date: .*$/m, 'Date:')
}

it('a message is shown in the bytes in which it is sent', async () => {
  const relay = await startRelay()
  const mailer = smtpMailer({ url: relay.url })
  onTestFinished(async () => {
    mailer.close()
    await relay.close()
  })
  expect(await mailer.send(message)).toMatchObject({ kind: 'accepted' })
  const sent = relay.accepted[0]?.raw ?? ''
  const shown = (await mimeOf(message)).toString()
  expect(withoutChance(shown)).toBe(withoutChance(sent))
  expect(shown).toMatch(
    /(^|\r\n)List-Unsubscribe: <https:\/\/example\.org\/unsubscribe\/token>\r\n/,
  )
})

it('a message begins each of its fields in the line of its name, and keeps its text as it is', async () => {
  const link = `https://example.org/unsubscribe/${'t'.repeat(150)}`
  const text = 'A line that ends like a field:\n  and goes on.\n'
  const bytes = await mimeOf({
    ...message,
    from: `${'A very long name of a team with Кестрел '.repeat(3)} <team@example.org>`,
    subject: 'S'.repeat(120),
    messageId: `<${'m'.repeat(60)}@news.long-name-of-a-product.example.org>`,
    headers: {
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text,
  })
  const raw = bytes.toString()
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n')
  expect(head).toContain(`List-Unsubscribe: <${link}>`)
  expect(head.filter((line) => /:[ \t]*$/.test(line))).toEqual([])
  expect((await PostalMime.parse(bytes)).text?.trimEnd()).toBe(text.trimEnd())
})

it('a message reads no file and no address for its picture', async () => {
  const hostile = { cid: 'mark', png: { path: '/etc/hostname' } as unknown as Buffer }
  await expect(mimeOf({ ...message, pictures: [hostile] })).rejects.toThrow(/rejected/)
})
