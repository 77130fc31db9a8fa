import { expect, it } from 'vitest'
import { isPublicProvider } from '../../src/shared/public-providers.ts'

it.each([
  ...'gmail.com hotmail.fr outlook.com.br yahoo.co.jp live.nl posteo.de gmx.at'.split(' '),
  ...'freenet.de wp.pl docomo.ne.jp uol.com.br ada.simplelogin.com'.split(' '),
])('%s is a provider where many addresses are what is usual', (domain) =>
  expect(isPublicProvider(domain)).toBe(true),
)

it.each(['company.example', 'yahoo.company.example', 'notyahoo.fr', 'live.example'])(
  '%s is somebody’s own domain',
  (domain) => expect(isPublicProvider(domain)).toBe(false),
)
