/**
 * Answers our forms of a page in place. It is sent as source with the functions that it calls, so they may
 * use nothing else from around them. What it cannot do, the form does by itself.
 *
 * @param path where the forms of this language post.
 * @param words what is said while it is sent, the thanks, and three errors; then the question of the page,
 *   where it asks one.
 */
function enhance(path: string, words: readonly string[]) {
  const script = document.currentScript as HTMLScriptElement | null
  if (!script) return
  const { href } = new URL(path, script.src)
  document.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.action.split('?')[0] !== href) return
    event.preventDefault()
    // A second press while the first is on its way, or after the thanks.
    if (form.dataset.joins) return
    form.dataset.joins = '1'

    const body = bodyOf(form)
    const input = form.elements.namedItem('email') as HTMLInputElement
    const enabled = [...form.elements].filter((one) => !(one as HTMLInputElement).disabled)
    const setDisabled = (isDisabled: boolean) => {
      for (const one of enabled) (one as HTMLInputElement).disabled = isDisabled
    }
    // A disabled field loses the focus.
    const hadFocus = form.contains(document.activeElement)
    setDisabled(true)
    const line = lineIn(form, words)
    line.textContent = words[0] ?? ''
    const [said, place] = await send(form.action, body)
    if (said === 0) {
      setDisabled(false)
      return HTMLFormElement.prototype.submit.call(form)
    }
    line.textContent = words[said] ?? ''
    if (said === 1) {
      input.value = ''
      if (place && words[5]) {
        const link = document.createElement('a')
        link.href = new URL(place, href).href
        link.target = '_blank'
        link.textContent = words[5]
        line.append(' ', link)
      }
      return
    }
    setDisabled(false)
    delete form.dataset.joins
    input.setAttribute('aria-invalid', String(said === 2))
    if (hadFocus) input.focus()
  })
}

function bodyOf(form: HTMLFormElement): URLSearchParams {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
  // Only what names a source: a query of another site may hold anything.
  for (const [name, value] of new URLSearchParams(location.search))
    if (/^(ref|utm_(source|medium|campaign))$/.test(name) && !body.has(name))
      body.append(name, value)
  return body
}

/** Where it is said, with space for the longest, made as an answer to the press: so nothing moves later. */
function lineIn(form: HTMLFormElement, words: readonly string[]): HTMLElement {
  const line =
    form.querySelector<HTMLElement>('[role=status]') ??
    form.appendChild(document.createElement('p'))
  const [, thanks, , , , asked = ''] = words
  const heights = [...words, `${thanks} ${asked}`].map((text) => {
    line.textContent = text
    return line.offsetHeight
  })
  line.style.minHeight = `${Math.max(...heights)}px`
  line.setAttribute('role', 'status')
  return line
}

/** @returns which word answers it, 0 where the form has to go by itself; then where its question is. */
async function send(action: string, body: URLSearchParams): Promise<[number, string?]> {
  try {
    const response = await fetch(action, {
      method: 'POST',
      body,
      credentials: 'omit',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(30_000),
    })
    const { error, answer } = await response.json()
    if (response.ok) return [1, answer]
    return [error === 'invalid-email' ? 2 : error === 'database-unavailable' ? 3 : 4]
  } catch (cause) {
    // Blocked by a policy, a list or a missing origin, as without script.
    return [(cause as Error).name === 'TypeError' && navigator.onLine ? 0 : 4]
  }
}

export const enhanceSource = [bodyOf, lineIn, send, enhance].join('\n')
