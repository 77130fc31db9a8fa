/** @module-tag thorough */
import { expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { receipt } from '../../fixtures/receipt.ts'
import { restoreKnown } from '../../fixtures/restored.ts'
import { person } from '../../store/contracts/people.ts'

it('shows who referred friends, what is held and why, and lets a day of a link count', async () => {
  const pad = await launchPad(20)
  const { of } = pad.ids
  const consent = (i: number) => receipt(person(i).subscribedAt)
  const referred = (i: number, by: number, day: string, more: object = {}) => ({
    addressId: of(person(i).email),
    extra: {
      consent: consent(i),
      referral: { by: of(person(by).email), at: `2026-11-${day}T10:00:00.000Z`, ...more },
    },
  })
  await restoreKnown(pad.store, [
    { addressId: of(person(1).email), extra: { consent: consent(1) } },
    referred(2, 1, '19'),
    ...Array.from({ length: 11 }, (_, i) => referred(3 + i, 1, '20')),
    referred(14, 2, '20'),
    referred(15, 3, '21', { hasSigns: true }),
  ])

  const { stdout } = await pad.run(['referrals'])
  const isOff = 'REFERRALS is not on, so the page shows nobody a personal link.'
  expect(stdout).toContain(isOff)
  expect(stdout).toMatch(/^Friends who count +2$/m)
  expect(stdout).toMatch(/^Held +12 +11 \(more than 10 in a day\), 1 \(signs of a robot\)$/m)
  expect(stdout).toContain(
    [
      'person1@example.com  2026-11-20       11  more than 10 in a day\n',
      'person3@example.com  2026-11-21        1  signs of a robot\n',
    ].join(''),
  )
  expect((await pad.run(['status'])).stdout).not.toMatch(/Personal links/)
  const on = { REFERRALS: 'on' }
  expect((await pad.run(['referrals'], on)).stdout).not.toContain(isOff)
  expect((await pad.run(['status'], on)).stdout).toMatch(/^Friends who count +2$/m)
  expect(JSON.parse((await pad.run(['status', '--json'], on)).stdout)).toMatchObject({
    links: 15,
    credited: 2,
    held: 12,
  })

  const { email } = person(1)
  const other = await pad.run(['referrals', '--let', email, '--day', '2026-11-19'])
  expect(other).toMatchObject({ code: 1 })
  expect(other.stderr).toContain('Nothing of 2026-11-19 is held for person1@example.com.')
  const let_ = await pad.run(['referrals', '--let', email, '--day', '2026-11-20'])
  expect(let_.stderr).toContain('11 friends of person1@example.com count now, of 2026-11-20.')
  expect((await pad.run(['referrals'])).stdout).toMatch(/^Friends who count +13$/m)
  const dry = await pad.announce('--order', 'referrals', '--dry-run', '--dkim-selector', 'k1')
  expect(dry.stdout.split('\n').slice(0, 4)).toEqual([1, 2, 3, 4].map((i) => person(i).email))
  expect((await pad.run(['referrals', '--day', '2026-11-20'])).stderr).toContain(
    '--day needs --let',
  )
  expect((await pad.run(['find', person(2).email])).stdout).toMatch(
    /^2026-11-19 \S+ +Referred by a personal link$/m,
  )
})
