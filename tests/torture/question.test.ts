/** @module-tag thorough */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { answerPath } from '../../src/shared/api.ts'
import { browser } from '../fixtures/app.ts'
import { startSite } from '../fixtures/running-site.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { signIn, signUp } from './crowd.ts'
import { readFileLeft } from './file-left.ts'
import { amount, chance, report, seed } from './form.ts'

const KILLS = amount(3, 200)
const VISITORS = 8
const MOST_ANSWERS = 30

it('every answer that was thanked for is there, though the server is killed while people answer', async (context) => {
  const random = chance(seed)
  const root = copyOfServer()
  const asking = { ...product, question: { ask: 'Why?', kind: 'text' } }
  writeFileSync(join(root, 'product.config.ts'), `export default ${JSON.stringify(asking)}`)
  const site = await startSite({ root, env: { LOG_LEVEL: 'warn' } })
  onTestFinished(() => site.stop())
  const check = tempDir()
  /** The last answer of each that was thanked for, and those that may have been kept since. */
  const answers = new Map<string, { thanked: string | undefined; maybe: string[] }>()
  let thanked = 0

  /** Signs up as a person, since a robot's answers are not kept, and answers twice: the second one counts. */
  async function visit(n: number, who: number, isOver: () => boolean) {
    for (let i = 0; !isOver(); i++) {
      const headers = { ...(await signIn(site.url)), ...browser }
      const email = `v@${n}-${who}-${i}.example`
      const { status, body } = await signUp(site.url, headers, email, { openFor: 60_000 })
      if (status !== 201) continue
      const answer = { thanked: undefined as string | undefined, maybe: [] as string[] }
      answers.set(email, answer)
      const url = `${site.url}${answerPath}/${JSON.parse(body).answer}`
      for (const said of [`first of ${email}`, `second of ${email}`]) {
        answer.maybe.push(said)
        const given = await fetch(url, { method: 'POST', body: new URLSearchParams({ said }) })
        if (!(await given.text()).includes('answer-done')) continue
        Object.assign(answer, { thanked: said, maybe: [] })
        thanked += 1
      }
    }
  }

  for (let n = 0; n < KILLS; n++) {
    const before = thanked
    const least = before + random() * MOST_ANSWERS
    let isOver = false
    const everybody = Array.from({ length: VISITORS }, (_, who) => visit(n, who, () => isOver))
    const ended = Promise.allSettled(everybody)
    await expect.poll(() => thanked, { timeout: 30_000, interval: 1 }).toBeGreaterThan(least)
    await site.kill()
    isOver = true
    await ended
    const { intact, found = [] } = readFileLeft(site.databaseFile, join(check, String(n)), (db) =>
      db
        .prepare(
          `SELECT data ->> '$.fields.answer' AS answer FROM persons
           UNION SELECT seen ->> 'answer' FROM documents WHERE waits IS NOT NULL`,
        )
        .all(),
    )
    expect(intact, `kill ${n}, seed ${seed}`).toBe(true)
    const kept = new Set(found.map(({ answer }) => answer))
    const lost = [...answers.values()].filter(
      ({ thanked, maybe }) =>
        thanked !== undefined && !kept.has(thanked) && !maybe.some((said) => kept.has(said)),
    )
    expect(lost, `kill ${n}, seed ${seed}`).toEqual([])
    await site.restart('0')
  }
  expect(site.log()).toBe('')
  report(context, {
    done: 'kill -9 of the server while people answer the question of the page',
    times: KILLS,
    result: `0 of ${thanked.toLocaleString('en')} answers that were thanked for were lost (seed ${seed})`,
  })
})
