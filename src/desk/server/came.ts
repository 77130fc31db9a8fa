import type { FastifyInstance } from 'fastify'
import { cameReport } from '../../report/makers/came.ts'
import type { DeskParts } from './parts.ts'
import { reportPage } from './report-page.ts'

/** `/desk/came`: who of those told became a user, as the command `came` counts it. */
export function came(desk: FastifyInstance, parts: DeskParts) {
  reportPage(desk, parts, 'came', () => cameReport(parts.store))
}
