import type { FastifyInstance } from 'fastify'
import { cameReport } from '../../report/makers/came.ts'
import { deskPaths } from '../contract/pages.ts'
import type { DeskParts } from './parts.ts'
import { reportPage } from './report-page.ts'

/** `/desk/came`: who of those told became a user, as the command `came` counts it. */
export function came(desk: FastifyInstance, parts: DeskParts) {
  const back = ['Letters', deskPaths.letters] as const
  reportPage(desk, parts, deskPaths.came, back, () => cameReport(parts.store))
}
