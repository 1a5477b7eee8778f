// Shows the times on a page in the reader's time zone; without this script they are in UTC.
for (const time of document.querySelectorAll('time[data-style]')) {
  const style = time.dataset.style === 'minute' ? { dateStyle: 'medium', timeStyle: 'short' } : { dateStyle: 'long' };
  const locale = document.documentElement.lang === 'ja' ? 'ja-JP' : 'en-GB';
  time.textContent = new Intl.DateTimeFormat(locale, style).format(new Date(time.dateTime));
}
