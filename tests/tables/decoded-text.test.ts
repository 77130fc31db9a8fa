import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { decodedText } from '../../src/tables/decoded-text.ts'

it('knows the encoding of a file that comes byte by byte', async () => {
  const text = '\ufeffemail\nada@example.com\n'
  for (const encoding of ['utf8', 'utf16le'] as const) {
    const bytes = [...Buffer.from(text, encoding)].map((byte) => Buffer.from([byte]))
    let read = ''
    for await (const part of decodedText(Readable.from(bytes))) read += part
    expect(read).toBe(text.slice(1))
  }
})
