/** @module-tag thorough */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { noteCame } from '../../../src/features/came/note-came.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { person } from '../../store/contracts/people.ts'

it('takes a table of accounts, and says who of those told became a user', async () => {
  const pad = await launchPad(40)
  expect((await pad.run(['came'])).stdout).toContain(
    'Nobody was told yet, and nobody on the list is known to be a user.',
  )
  await pad.announce('--first', '30')

  const file = join(pad.dataDir, 'accounts.csv')
  const soon = new Date(Date.now()).toISOString()
  writeFileSync(
    file,
    [
      'id,email,created_at,plan,status',
      `1,${person(9).email.toUpperCase()},${soon},pro,active`,
      `2,${person(1).email},${soon},free,banned`,
      `3,${person(35).email},${soon},free,active`,
      `4,stranger@example.com,${soon},free,active`,
      `5,nonsense,${soon},free,active`,
      '',
    ].join('\n'),
  )
  const dry = await pad.run(['came', file, '--dry-run'])
  expect(dry).toMatchObject({ code: 3 })
  expect(dry.stderr).toContain(
    'Addresses from email; times from created_at; ignored: id, plan, status.',
  )
  expect(dry.stdout).toContain(
    '5 accounts: 3 on the list, 1 not on it, 1 refused. Only those on the list are noted. Nothing was changed.',
  )
  expect(dry.stdout).toMatch(/^line 6: "nonsense" is not an e-mail address$/m)
  expect(dry.stdout).toMatch(/^Became users +0 +of 30 told, 0 %$/m)

  await pad.run(['came', file])
  const { stdout } = await pad.run(['came'])
  expect(stdout).toMatch(/^Became users +2 +of 30 told, 6\.7 %, half of them within \d+ s$/m)
  expect(stdout).toMatch(/^launch +30 +2 +6\.7 %$/m)
  expect(JSON.parse((await pad.run(['came', '--json'])).stdout)).toMatchObject({
    told: 30,
    came: 2,
    others: 1,
    letters: [{ name: 'launch', told: 30, came: 2 }],
  })
  const status = await pad.run(['status'])
  expect(status.stdout).toMatch(
    /^Became users +2 +of 30 told, 6\.7 %, half of them within \d+ s: \S+/m,
  )
  expect(JSON.parse((await pad.run(['status', '--json'])).stdout)).toMatchObject({
    came: 2,
    medianMs: expect.any(Number),
  })
  expect((await pad.run(['find', person(9).email])).stdout).toMatch(
    /^\d{4}-\S+ \S+ +Became a user$/m,
  )
  const everything = (await pad.run(['export', '--all'])).stdout
  expect(everything).not.toMatch(/stranger|pro|banned/)
})

it('leaves those who became users out of a later letter', async () => {
  const pad = await launchPad(4)
  await noteCame(pad.store, pad.ids.of, [{ email: person(2).email, at: new Date() }])
  const { stdout, stderr } = await pad.announce('--not-came', '--dry-run', '--dkim-selector', 'k1')
  expect(stdout).toBe([1, 3, 4].map((i) => `${person(i).email}\n`).join(''))
  expect(stderr).toContain('Left out: 1 came to the product already')
  const sent = await pad.announce('--not-came')
  expect(sent.stdout).toContain('The balance holds: 4 = 3 sent + 1 left out\n')
  expect(pad.inboxes()).not.toContain(person(2).email)
})
