import type { DeskPage, DeskView } from '../shared/desk-pages.ts'
import type { DeskSection } from '../shared/desk-shell.ts'
import { Door } from './door.tsx'
import { Problem } from './problem.tsx'
import { Shell } from './shell.tsx'
import { Today } from './today.tsx'
import { ShellProvider } from './view.ts'

/** A page with everything around it: the same on the server and in the browser. */
export function Desk({ shell, page }: DeskView) {
  if (page.page === 'door')
    return (
      <ShellProvider value={shell}>
        <Door {...page} />
      </ShellProvider>
    )
  const { name, logo } = shell.product
  const frame = { name, logo, at: new Date(shell.now).toISOString(), zone: 'UTC' }
  return (
    <ShellProvider value={shell}>
      <Shell frame={frame} section={sectionOf(page)} title={titleOf({ shell, page })}>
        {drawn(page)}
      </Shell>
    </ShellProvider>
  )
}

function sectionOf(_page: DeskPage): DeskSection {
  return 'today'
}

function drawn(page: Exclude<DeskPage, { page: 'door' }>) {
  switch (page.page) {
    case 'today':
      return <Today {...page} />
    case 'problem':
      return <Problem {...page} />
  }
}

/** The title of a page's tab. */
export function titleOf({ shell, page }: DeskView): string {
  const names = { today: 'Today', problem: 'Problem', door: 'Desk' } as const
  return `${names[page.page]} · ${shell.product.name}`
}
