import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkSenderRecords as lookedUp } from '../../src/checks/sender.ts'
import { startDns } from '../fixtures/dns.ts'
import { findingSaid } from '../fixtures/finding-said.ts'

const checkSenderRecords = async (...asked: Parameters<typeof lookedUp>) =>
  (await lookedUp(...asked)).map(findingSaid)

const good = {
  'example.org': ['some-verification=1', 'v=spf1 include:relay.example -all'],
  '_dmarc.example.org': ['v=DMARC1; p=reject'],
  'k1._domainkey.example.org': ['v=DKIM1; k=rsa; p=MIGf'],
}

describe('the records of a sender', () => {
  it('are fine when the domain vouches for its mail', async () => {
    const { resolveTxt } = await startDns(good)
    const found = await checkSenderRecords('example.org', 'k1', resolveTxt)
    expect(found.map(({ what, verdict }) => [what, verdict])).toEqual([
      ['SPF', 'fine'],
      ['DMARC', 'fine'],
      ['DKIM', 'fine'],
    ])
    expect(found[0]?.detail).toBe('example.org: v=spf1 include:relay.example -all')
  })

  it('are fine as docs/deploy.md shows them', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
    const lines = [...text.matchAll(/^(\S+)\. +TXT +"([^"]+)"$/gm)]
    const records = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, [value]]))
    const { resolveTxt } = await startDns(records)
    const found = await checkSenderRecords('example.com', 'k1', resolveTxt)
    expect(found.map(({ verdict }) => verdict)).toEqual(['fine', 'fine', 'fine'])
  })

  it('are each a problem when they are missing', async () => {
    const { resolveTxt } = await startDns({ 'example.org': ['something else'] })
    expect(await checkSenderRecords('example.org', 'k1', resolveTxt)).toEqual([
      {
        what: 'SPF',
        verdict: 'problem',
        detail: expect.stringMatching(/^example.org has no record; set one .*: TXT v=spf1 /),
      },
      {
        what: 'DMARC',
        verdict: 'problem',
        detail: expect.stringMatching(
          /^_dmarc.example.org has no record; .*: TXT v=DMARC1; p=none$/,
        ),
      },
      {
        what: 'DKIM',
        verdict: 'problem',
        detail: expect.stringMatching(/^k1._domainkey.example.org has no record; /),
      },
    ])
  })

  it('are unknown for DKIM when nobody says the selector', async () => {
    const { resolveTxt } = await startDns(good)
    const [, , dkim] = await checkSenderRecords('example.org', undefined, resolveTxt)
    expect(dkim).toEqual({
      what: 'DKIM',
      verdict: 'unknown',
      detail: expect.stringMatching(/^its selector is not named\. .* --dkim-selector <selector>$/),
    })
  })

  it('may be those of the organisation for DMARC, and not for SPF', async () => {
    const { resolveTxt } = await startDns(good)
    const [spf, dmarc] = await checkSenderRecords('mail.eu.example.org', undefined, resolveTxt)
    expect(spf).toMatchObject({ verdict: 'problem' })
    expect(dmarc).toMatchObject({ verdict: 'fine', detail: expect.stringContaining('p=reject') })
  })

  it('are a problem when SPF stands there twice, or a DKIM key was withdrawn', async () => {
    const { resolveTxt } = await startDns({
      ...good,
      'example.org': ['v=spf1 -all', 'v=spf1 include:x -all'],
      'k1._domainkey.example.org': ['v=DKIM1; p='],
    })
    const [spf, , dkim] = await checkSenderRecords('example.org', 'k1', resolveTxt)
    expect(spf).toMatchObject({
      verdict: 'problem',
      detail: 'example.org has 2 records, and may have only one',
    })
    expect(dkim).toMatchObject({ verdict: 'problem' })
  })

  const spf: [string, string][] = [
    ['v=spf1', 'fine'],
    ['V=SPF1 -all', 'fine'],
    ['v=spf10 -all', 'problem'],
    ['x v=spf1 -all', 'problem'],
  ]
  const dmarc: [string, string][] = [
    ['v=DMARC1; p=none', 'fine'],
    ['V=dmarc1 ;p=none', 'fine'],
    ['v=DMARC1 p=none', 'problem'],
    ['v=DMARC10; p=none', 'problem'],
    ['x v=DMARC1;', 'problem'],
  ]
  const dkim: [string, string][] = [
    ['p=MIGf', 'fine'],
    ['k=rsa;p=MIGf', 'fine'],
    ['P=MIGf', 'fine'],
    ['v=DKIM1; p= ;', 'problem'],
    ['v=DKIM1; up=MIGf', 'problem'],
  ]
  it.each([
    ...spf.map((one) => ['SPF', 'example.org', ...one] as const),
    ...dmarc.map((one) => ['DMARC', '_dmarc.example.org', ...one] as const),
    ...dkim.map((one) => ['DKIM', 'k1._domainkey.example.org', ...one] as const),
  ])('are read as mail servers read them: %s at %s, %s, is %s', async (what, at, text, verdict) => {
    const resolveTxt = async (name: string) =>
      name === at ? [['x'], [text.slice(0, 4), text.slice(4)]] : []
    const found = await checkSenderRecords('example.org', 'k1', resolveTxt)
    expect(found.filter((one) => one.verdict === 'fine' || one.what === what)).toMatchObject([
      { what, verdict },
    ])
  })

  it('are asked for of no whole country', async () => {
    const asked: string[] = []
    await checkSenderRecords('a.b.example.org', undefined, async (name) => {
      asked.push(name)
      return []
    })
    expect(asked.toSorted()).toEqual([
      '_dmarc.a.b.example.org',
      '_dmarc.b.example.org',
      '_dmarc.example.org',
      'a.b.example.org',
    ])
  })

  it('are missing where there is no such name, and a problem for any other reason', async () => {
    const failing = (error: Error) => () => Promise.reject(error)
    const detail = async (error: Error) =>
      (await checkSenderRecords('example.org', undefined, failing(error)))[0]?.detail
    for (const code of ['ENOTFOUND', 'ENODATA'])
      expect(await detail(Object.assign(new Error('x'), { code }))).toContain('has no record')
    for (const code of ['XENOTFOUND', 'ENODATAS'])
      expect(await detail(Object.assign(new Error('x'), { code }))).toContain(`(${code})`)
    expect(await detail(new Error('no network'))).toBe(
      'example.org could not be looked up (no network)',
    )
  })

  it('are a problem that is named when the DNS itself fails', async () => {
    const { resolveTxt } = await startDns('broken')
    const [spf] = await checkSenderRecords('example.org', undefined, resolveTxt)
    expect(spf).toMatchObject({
      verdict: 'problem',
      detail: 'example.org could not be looked up (ESERVFAIL)',
    })
  })
})
