import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readReceived } from '../../src/mail/received.ts'

const letter = (field: string) =>
  Readable.from([`Authentication-Results: ${field}\r\nFrom: <team@example.org>\r\n\r\nHello\r\n`])

const passed = [
  ['dkim', 'pass', 'example.org'],
  ['spf', 'pass', 'b.example.org'],
  ['dmarc', 'pass', 'example.org'],
]

describe('what a mailbox found about a letter', () => {
  it.each([
    [
      'Gmail',
      'mx.google.com',
      'mx.google.com;\r\n dkim=pass header.i=@example.org header.s=k1 header.b="a;b";\r\n spf=pass (google.com: domain of b@b.example.org designates 192.0.2.1 (a; host) as permitted sender) smtp.mailfrom=b@b.example.org;\r\n dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.org',
    ],
    [
      'Outlook',
      '',
      'dkim=pass (signature was verified)\r\n header.d=example.org; spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=b.example.org;dmarc=pass action=none\r\n header.from=example.org;compauth=pass reason=100',
    ],
    [
      'a server that says its version',
      'mx.example.net',
      'mx.example.net 1; x-tls=pass; DKIM=pass header.d=Example.org; spf=pass smtp.helo=b.example.org; dmarc=pass header.from=example.org',
    ],
  ])('is read from a field of %s', async (_of, by, field) => {
    const received = await readReceived(letter(field))
    expect(received).toMatchObject({ domain: 'example.org', by })
    expect(received?.results.map((one) => Object.values(one))).toEqual(
      expect.arrayContaining(passed),
    )
    expect(received?.results).toHaveLength(3)
  })

  it.each([
    '',
    ';;;',
    '((((',
    `mx; ${'('.repeat(10_000)}dkim=pass`,
    `${'mx;'.repeat(10_000)}`,
    'mx; none',
  ])('is nothing where a field says nothing: %#', async (field) => {
    expect((await readReceived(letter(field)))?.results ?? []).toEqual([])
  })

  it('is not read where there is no sender', async () => {
    const text = 'Authentication-Results: mx; spf=pass\r\n\r\nHello\r\n'
    expect(await readReceived(Readable.from([text]))).toBeUndefined()
  })
})
