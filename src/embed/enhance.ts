/**
 * Answers our forms of a page in place. It is sent as source, so it may use nothing from around it.
 * What it cannot do, the form does by itself.
 *
 * @param path where the forms of this language post.
 * @param words what is said while it is sent, the thanks, and three errors; then the question of the page,
 *   where it asks one.
 */
export function enhance(path: string, words: readonly string[]) {
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

    const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
    // Only what names a source: a query of another site may hold anything.
    for (const [name, value] of new URLSearchParams(location.search))
      if (/^(ref|utm_(source|medium|campaign))$/.test(name) && !body.has(name))
        body.append(name, value)

    const input = form.elements.namedItem('email') as HTMLInputElement
    const enabled = [...form.elements].filter((one) => !(one as HTMLInputElement).disabled)
    const setDisabled = (isDisabled: boolean) => {
      for (const one of enabled) (one as HTMLInputElement).disabled = isDisabled
    }
    // A disabled field loses the focus.
    const hadFocus = form.contains(document.activeElement)
    setDisabled(true)

    const line =
      form.querySelector<HTMLElement>('[role=status]') ??
      form.appendChild(document.createElement('p'))
    // Room for the longest, made as an answer to the press: so nothing moves later.
    const [, thanks, , , , question = ''] = words
    const heights = [...words, `${thanks} ${question}`].map((text) => {
      line.textContent = text
      return line.offsetHeight
    })
    line.style.minHeight = `${Math.max(...heights)}px`
    line.setAttribute('role', 'status')
    line.textContent = words[0] ?? ''

    let said = 4
    let place: string | undefined
    try {
      const answer = await fetch(form.action, {
        method: 'POST',
        body,
        credentials: 'omit',
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(30_000),
      })
      const { error, answer: leadsTo } = await answer.json()
      place = leadsTo
      if (answer.ok) said = 1
      else if (error === 'invalid-email') said = 2
      else if (error === 'database-unavailable') said = 3
    } catch (cause) {
      // Blocked by a policy, a list or a missing origin: the form goes by itself, as without script.
      if ((cause as Error).name === 'TypeError' && navigator.onLine) {
        setDisabled(false)
        return HTMLFormElement.prototype.submit.call(form)
      }
    }
    line.textContent = words[said] ?? ''
    if (said === 1) {
      input.value = ''
      if (place && question) {
        const link = document.createElement('a')
        link.href = new URL(place, href).href
        link.target = '_blank'
        link.textContent = question
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
