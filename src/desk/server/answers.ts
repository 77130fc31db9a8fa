import type { FastifyInstance } from 'fastify'
import { answersReport } from '../../report/makers/answers.ts'
import type { DeskParts } from './parts.ts'
import { reportPage } from './report-page.ts'

/** `/desk/answers`: what people answered to the question of the page, as the command `answers` counts it. */
export function answers(desk: FastifyInstance, parts: DeskParts) {
  const { product, store } = parts
  const make = () => answersReport(store.list, product.question?.ask)
  reportPage(desk, parts, 'answers', make)
}
