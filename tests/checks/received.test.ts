import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { checkReceived } from '../../src/checks/sender.ts'
import { readReceived } from '../../src/mail/received.ts'

async function verdicts(results: string) {
  const letter = `Authentication-Results: mx; ${results}\r\nFrom: <team@example.org>\r\n\r\nHello\r\n`
  const received = await readReceived(Readable.from([letter]))
  if (!received) throw new Error('there is nothing to read')
  return checkReceived(received).map(({ verdict }) => verdict)
}

describe('a letter that arrived', () => {
  it('is ours where all three vouch for the domain in From', async () => {
    const dkim = 'dkim=pass header.d=example.org'
    expect(
      await verdicts(`${dkim}; spf=pass smtp.mailfrom=b@mail.example.org; dmarc=pass`),
    ).toEqual(['fine', 'fine', 'fine'])
  })

  it('is ours where its bounces go elsewhere, as DKIM is enough for DMARC', async () => {
    const dkim = 'dkim=pass header.i=@example.org'
    expect(await verdicts(`${dkim}; spf=pass smtp.mailfrom=b@relay.example; dmarc=pass`)).toEqual([
      'note',
      'fine',
      'fine',
    ])
  })

  it('is not ours where another domain has signed it, however alike the name', async () => {
    const spf = 'spf=pass smtp.mailfrom=b@notexample.org'
    expect(await verdicts(`dkim=pass header.d=notexample.org; ${spf}; dmarc=fail`)).toEqual([
      'note',
      'note',
      'problem',
    ])
  })

  it('is ours by one signature of several, whichever comes first', async () => {
    const dkim = 'dkim=pass header.d=relay.example; dkim=pass header.d=example.org'
    expect(await verdicts(`${dkim}; spf=pass smtp.mailfrom=b@example.org; dmarc=pass`)).toEqual([
      'fine',
      'fine',
      'fine',
    ])
  })

  it('has a problem for each that says nothing or no', async () => {
    expect(await verdicts('spf=softfail smtp.mailfrom=b@example.org; dmarc=none')).toEqual([
      'problem',
      'problem',
      'problem',
    ])
  })
})
