import type { FastifyInstance } from 'fastify'
import { countAnswers } from '../../audience/answers.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import { type AnswersPage, deskPaths } from '../contract/pages.ts'
import type { DeskParts } from './parts.ts'

/** `/desk/answers`: what people answered to the question of the page, as the command `answers` counts it. */
export function answers(desk: FastifyInstance, { product, store, show }: DeskParts) {
  const counts = readSeldom(() => countAnswers(store.list))
  desk.get(deskPaths.answers, async (request, reply) => {
    const { answers, ...others } = await counts()
    const page: AnswersPage = {
      page: 'answers',
      question: product.question?.ask ?? null,
      counts: { ...others, answers: answers.slice(0, SHOWN) },
      more: Math.max(0, answers.length - SHOWN),
    }
    return show(request, reply, page)
  })
}

/** Texts of strangers may all differ. */
const SHOWN = 100
