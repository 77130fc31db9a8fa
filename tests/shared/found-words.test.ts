import { expect, it } from 'vitest'
import type { KeyProblem } from '../../src/shared/found.ts'
import { factOf, keyProblemInWords } from '../../src/shared/found-words.ts'

it('says what is wrong with the key of invitations, and what to do', () => {
  const dataDir = '/data'
  const said: [KeyProblem, string][] = [
    [
      { code: 'key-gone', dataDir },
      'invitation.key, which signs invitations, is not in /data. Put it back from a back-up.',
    ],
    [{ code: 'no-issuer' }, 'PUBLIC_URL is not set: it names who issued an invitation.'],
    [{ code: 'key-in-use' }, 'INVITATION_KEY is the key that is in use: set another one first.'],
  ]
  for (const [wrong, sentence] of said) expect(keyProblemInWords(wrong)).toBe(sentence)
})

it('names each address that another site has, or that it has none', () => {
  const site = 'https://example.com'
  const found = { code: 'page-other-site', verdict: 'problem', site, status: 200 } as const
  const where = (addresses: string[]) => factOf({ ...found, addresses }).detail
  expect(where(['192.0.2.1', '2001:db8::1'])).toContain('it is at 192.0.2.1, 2001:db8::1:')
  expect(where([])).toContain('; it is not in the DNS:')
})
