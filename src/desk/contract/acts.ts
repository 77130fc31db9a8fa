import type { Act } from '../../shared/report.ts'
import { deskPaths } from './pages.ts'

/** What the desk has for an act of a report: where its button posts, or the page that shows it. */
export const deskActs: Readonly<
  Partial<Record<Act['code'], { readonly post?: string; readonly href?: string }>>
> = {
  'who-answered': { post: deskPaths.people },
  'let-friends': { post: deskPaths.referrals },
}
