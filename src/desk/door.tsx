import type { DoorPage } from '../shared/desk-pages.ts'
import { useShell } from './view.ts'

const words = {
  open: 'This link opens the desk once, in this browser.',
  'wrong-code':
    'That is not the code of this link. Open the whole link, or paste its last part, behind the #.',
  used: 'This link was used. For a new one, run: npx opening-bell desk',
  'too-old': 'This link is too old. For a new one, run: npx opening-bell desk',
} as const

/** The page behind a link: to open it burns nothing, to press the button does. */
export function Door({ state }: DoorPage) {
  const { product, path } = useShell()
  return (
    <main className="door">
      <h1>{product.name}</h1>
      <p>{words[state]}</p>
      {(state === 'open' || state === 'wrong-code') && (
        <form method="post" action={path} id="door">
          <label>
            Code <input name="code" required autoComplete="off" spellCheck={false} />
          </label>
          <button type="submit">Open the desk</button>
        </form>
      )}
    </main>
  )
}

/**
 * Runs in the browser, inline: takes the code out of the address bar before anything else can see
 * it, and puts it into the form.
 */
export function takeCode() {
  const code = location.hash.slice(1)
  const field = document.querySelector<HTMLInputElement>('#door input')
  if (!code || !field) return
  history.replaceState(null, '', location.pathname)
  field.value = code
  field.type = 'hidden'
  field.closest('label')?.setAttribute('hidden', '')
}
