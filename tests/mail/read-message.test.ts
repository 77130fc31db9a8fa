import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readMessages } from '../../src/mail/read-message.ts'

async function read(...chunks: (string | Buffer)[]) {
  const found = []
  for await (const one of readMessages(Readable.from(chunks.map((one) => Buffer.from(one)))))
    found.push(one)
  return found
}

const twoParts = [
  'Subject: =?x',
  'Content-Type: multipart/mixed; boundary="a b"',
  '',
  'a preamble',
  '--a b',
  '',
  'one',
  '--a b  ',
  'content-TYPE : Message/Delivery-Status; charset=x',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'zw=C3=B6=',
  'lf',
  '--a b--',
]

describe('a message', () => {
  it.each([['\n'], ['\r\n']])('is read part by part, whatever ends its lines: %j', async (end) => {
    const bytes = Buffer.from(twoParts.join(end))
    const whole = await read(bytes)
    expect(whole).toEqual([
      {
        fields: [
          ['subject', '=?x'],
          ['content-type', 'multipart/mixed; boundary="a b"'],
        ],
        parts: [
          { type: 'text/plain', text: 'one\n' },
          { type: 'message/delivery-status', text: 'zwölf\n' },
        ],
        isCut: false,
      },
    ])
    // A pipe may deliver it byte by byte.
    expect(await read(...[...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
  })

  it('is one of several in a mailbox file, and in no other', async () => {
    const subjects = async (text: string) => (await read(text)).map(({ fields }) => fields[0]?.[1])
    const from = 'From x Fri Nov 20 10:00:00 2026\n'
    const two = `Subject: a\n\nx\n\nFrom me to you\n${from}Subject: b\n\n`
    expect(await subjects(`${from}${two}`)).toEqual(['a', 'b'])
    expect(await subjects(two)).toEqual(['a'])
    expect(await subjects('')).toEqual([])
  })

  const multipart = (boundary: string) =>
    `Content-Type: multipart/mixed; boundary=${boundary}\n\n--${boundary}\n`

  it.each([
    ['nested deeper than any report', Array.from({ length: 20_000 }, (_, i) => multipart(`b${i}`))],
    ['with levels of one name', [multipart('x').repeat(20_000)]],
    ['with an endless header', ['X: y\n'.repeat(1_000_000)]],
    ['with endless lines in its header', [`X: ${'y'.repeat(1_000_000)}\n`.repeat(20)]],
    [
      'with a report on 200,000',
      [
        'Content-Type: message/delivery-status\n\n',
        'Final-Recipient: rfc822; a@b.c\nAction: failed\n\n'.repeat(200_000),
      ],
    ],
  ])('%s is read as far as the bounds, and it says so', async (_, chunks) => {
    const [message] = await read(...chunks)
    expect(message?.isCut).toBe(true)
    expect(JSON.stringify(message).length).toBeLessThan(1_000_000)
  })
})
