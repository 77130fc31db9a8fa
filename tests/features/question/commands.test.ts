/** @module-tag thorough */
import { expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { person } from '../../store/contracts/people.ts'

it('counts what people answered, and lists who gave an answer', async () => {
  const pad = await launchPad(5)
  expect((await pad.run(['answers'])).stdout).toMatch(/^Answered +0 +of 5 subscribers$/m)
  for (const [i, said] of ['Bread', 'Cake', 'Bread'].entries())
    await pad.store.replies.keep(person(i + 1).email, said)
  const { stdout } = await pad.run(['answers'])
  expect(stdout).toMatch(/^Answered +3 +of 5 subscribers$/m)
  expect(stdout).toMatch(/^Bread +2 +█{24}\nCake +1 +█{12}$/m)
  expect(JSON.parse((await pad.run(['answers', '--json'])).stdout)).toMatchObject({
    people: 5,
    answered: 3,
  })
  const listed = await pad.run(['list', '--answered', 'bread'])
  expect(listed.stdout).toContain(person(1).email)
  expect(listed.stdout).toContain(person(3).email)
  expect(listed.stderr).toContain('2 subscribers.')
  expect(await pad.run(['list', '--answered', ' '])).toMatchObject({ code: 2 })
  expect((await pad.run(['find', person(2).email])).stdout).toMatch(/Answered +Cake/)
})

it('tells first those who gave one answer, then those of another, and at last everybody, once each', async () => {
  const pad = await launchPad(6)
  for (const [i, said] of ['Bread', 'Cake', 'Bread'].entries())
    await pad.store.replies.keep(person(i + 1).email, said)
  const got = () => pad.relay.read.toSorted()
  const emails = (...which: number[]) => which.map((i) => person(i).email).sort()

  const first = await pad.announce('--answered', 'Bread')
  expect(first).toMatchObject({ code: 0 })
  expect(got()).toEqual(emails(1, 3))
  await pad.announce('--answered', 'Cake', '--include-new')
  expect(got()).toEqual(emails(1, 2, 3))
  await pad.announce('--include-new')
  expect(got()).toEqual(emails(1, 2, 3, 4, 5, 6))
})
