import { expect, it } from 'vitest'
import { hostedSettings, serverSettings } from '../../../src/config/programs.ts'
import { readSettings } from '../../../src/config/read.ts'

const all = {
  CONFIRM: 'on',
  REFERRALS: 'on',
  SMTP_URL: 'smtp://localhost:2525',
  MAIL_FROM: 'Ada <ada@example.com>',
  PUBLIC_URL: 'https://example.com',
}

it('personal links are on where all is there that they need', () => {
  expect(readSettings(serverSettings, all)).toMatchObject({
    settings: { features: { referrals: true } },
  })
  expect(readSettings(serverSettings, { ...all, REFERRALS: 'off' })).toMatchObject({
    settings: { features: { referrals: false } },
  })
})

it.each([
  ['CONFIRM', 'needs CONFIRM=on: only a friend who confirms counts'],
  ['PUBLIC_URL', 'needs PUBLIC_URL, where a personal link leads'],
] as const)('without %s they say what is missing', (name, line) => {
  const read = readSettings(serverSettings, { ...all, [name]: '' })
  expect(read).toMatchObject({
    mistakes: expect.arrayContaining([`REFERRALS: is "on", ${line}`]),
  })
})

it('a page on a static host has none', () => {
  const line = 'must be off for Firebase, where no server of ours sees a link'
  expect(readSettings(hostedSettings, all)).toEqual({
    mistakes: [`REFERRALS: is "on", ${line}`],
  })
})
