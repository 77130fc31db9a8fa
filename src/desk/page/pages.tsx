import { type DeskPage, type DeskView, deskPaths, type ProblemPage } from '../contract/pages.ts'
import { Access } from './access.tsx'
import { Came } from './came.tsx'
import { Door } from './door.tsx'
import { Embed } from './embed/embed.tsx'
import { Letter } from './letters/letter.tsx'
import { LetterForm } from './letters/letter-form.tsx'
import { Letters } from './letters/letters.tsx'
import { Opening } from './opening/opening.tsx'
import { OpeningSure } from './opening/opening-sure.tsx'
import { ButtonLink } from './parts/button.tsx'
import { Forget, Forgotten } from './people/forget.tsx'
import { People } from './people/people.tsx'
import { Person } from './people/person.tsx'
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
    case 'access':
      return <Access {...page} />
    case 'came':
      return <Came {...page} />
    case 'letters':
      return <Letters {...page} />
    case 'letter':
      return <Letter {...page} />
    case 'letter-form':
      return <LetterForm {...page} />
    case 'opening':
      return <Opening {...page} />
    case 'opening-sure':
      return <OpeningSure {...page} />
    case 'embed':
      return <Embed {...page} />
    case 'problem':
      return <Problem {...page} />
    case 'people':
      return <People {...page} />
    case 'person':
      return <Person {...page} />
    case 'forget':
      return <Forget {...page} />
    case 'forgotten':
      return <Forgotten {...page} />
  }
}

/** The title of a page's tab. */
export function titleOf({ shell, page }: DeskView): string {
  const names = {
    came: 'Who came',
    letters: 'Letters',
    letter: 'Letter',
    'letter-form': 'Letter',
    opening: 'Opening',
    'opening-sure': 'Opening',
    today: 'Today',
    access: 'Access',
    embed: 'Your form',
    problem: 'Problem',
    door: 'Desk',
    people: 'People',
    // No address: the browser's history keeps the title of a tab.
    person: 'A person',
    forget: 'Forget',
    forgotten: 'Forgotten',
  } as const
  return `${names[page.page]} · ${shell.product.name}`
}

/** What could not be done, with a link to go on. */
function Problem({ title, text }: ProblemPage) {
  return (
    <div className="narrow stack after-6">
      <h1 className="heading">{title}</h1>
      <p className="quiet">{text}</p>
      <p className="after-3">
        <ButtonLink href={deskPaths.today}>To the first page</ButtonLink>
      </p>
    </div>
  )
}
