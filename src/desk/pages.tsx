import type { DeskPage, DeskView } from '../shared/desk-pages.ts'
import { Access } from './access.tsx'
import { Door } from './door.tsx'
import { Letter } from './letters/letter.tsx'
import { LetterForm } from './letters/letter-form.tsx'
import { Letters } from './letters/letters.tsx'
import { Problem } from './problem.tsx'
import { Shell } from './shell.tsx'
import { Today } from './today/today.tsx'
import { ShellProvider } from './view.ts'

/** A page with everything around it: the same on the server and in the browser. */
export function Desk({ shell, page }: DeskView) {
  return (
    <ShellProvider value={shell}>
      {page.page === 'door' ? <Door {...page} /> : <Shell>{drawn(page)}</Shell>}
    </ShellProvider>
  )
}

function drawn(page: Exclude<DeskPage, { page: 'door' }>) {
  switch (page.page) {
    case 'today':
      return <Today {...page} />
    case 'letters':
      return <Letters {...page} />
    case 'letter':
      return <Letter {...page} />
    case 'letter-form':
      return <LetterForm {...page} />
    case 'access':
      return <Access {...page} />
    case 'problem':
      return <Problem {...page} />
  }
}

/** The title of a page's tab. */
export function titleOf({ shell, page }: DeskView): string {
  const names = {
    today: 'Today',
    letters: 'Letters',
    letter: 'Letter',
    'letter-form': 'Letter',
    access: 'Access',
    problem: 'Problem',
    door: 'Desk',
  } as const
  return `${names[page.page]} · ${shell.product.name}`
}
