import { describe, expect, test } from 'vitest';
import { CellHeadings } from '../../../core/records/cell-headings.ts';

/** The heading above the first occurrence of the value. */
function headingOver(text: string, value: string): string | undefined {
  const start = text.indexOf(value);
  return new CellHeadings(text).over(start, start + value.length);
}

describe('the column heading of a cell', () => {
  test.each<[name: string, text: string, value: string, heading: string | undefined]>([
    ['comma', 'Name,Team\nKim Lee,Red', 'Kim Lee', 'name'],
    ['comma and quotes', '"Agent","Opened"\n"Kim Lee","2026"', 'Kim Lee', 'agent'],
    ['semicolon', 'City;Owner\nOslo;Kim Lee', 'Kim Lee', 'owner'],
    ['tab', 'No\tTenant\n1\tKim Lee', 'Kim Lee', 'tenant'],
    ['Markdown', '| Shift | Lead |\n|---|---|\n| Early | Kim Lee |', 'Kim Lee', 'lead'],
    ['a database client', ' id | full_name\n----+-----\n 7 | Kim Lee', 'Kim Lee', 'full_name'],
    ['HTML', '<tr><th>Guest</th><th>Room</th></tr><tr><td>Kim Lee</td><td>1</td></tr>', 'Kim Lee', 'guest'],
    ['a later row', 'Name,Team\nA B,Red\nC D,Blue\nKim Lee,Red', 'Kim Lee', 'name'],
    ['a second table', 'a,b\n1,2\n\nOwner,Due\nKim Lee,May', 'Kim Lee', 'owner'],
    ['spaces around quotes', 'Name , Team\n  "Kim Lee"  ,Red', 'Kim Lee', 'name'],
    ['single quotes', "No,Name\n1,'Kim Lee'", 'Kim Lee', 'name'],
    ['columns of spaces', 'No    Tenant   Due\n1    Kim Lee  May\n2    Jo Poe  May', 'Kim Lee', 'tenant'],
    ['the end of a line of two', 'No,Name\r\n1,Kim Lee\r\n', 'Kim Lee', 'name'],
    [
      'a cell with attributes',
      '<tr><th>Guest</th><th>Room</th></tr><tr><td class="a">Kim Lee</td><td>1</td></tr>',
      'Kim Lee',
      'guest',
    ],
    [
      'spaces in a cell',
      '<tr><th>Guest</th><th>Room</th></tr><tr><td> Kim Lee </td><td>1</td></tr>',
      'Kim Lee',
      'guest',
    ],
    [
      'another element',
      '<tr><th>Guest</th><th>Room</th></tr><tr><td><b>Kim Lee</b></td><td>1</td></tr>',
      'Kim Lee',
      undefined,
    ],
    ['no HTML table above', '<td>Kim Lee</td>', 'Kim Lee', undefined],
    ['only the end of a cell', 'Name,Team\nask Kim Lee,Red', 'Lee', undefined],
    ['only the beginning of a cell', 'Name,Team\nKim Lee,Red', 'Kim', undefined],
    ['after the table', 'Name,Team\nA B,Red\n\nWe met Kim Lee,', 'Kim Lee', undefined],
    ['the header itself', 'Kim Lee,Team\nx,Red', 'Kim Lee', undefined],
    ['a part of a cell', 'Name,Team\nask Kim Lee,Red', 'Kim Lee', undefined],
    ['prose', 'We met, Kim Lee, today', 'Kim Lee', undefined],
    ['no header above', 'Kim Lee,Red', 'Kim Lee', undefined],
    ['an HTML form', '<tr><th>Guest</th><td>Kim Lee</td></tr>', 'Kim Lee', undefined],
  ])('%s', (_, text, value, heading) => {
    expect(headingOver(text, value)).toBe(heading);
  });

  test('cells of several tables, in order', () => {
    const text =
      'Name,Team\nA B,Red\nC D,Blue\n\nOwner;Due\nE F;May\n\n<tr><th>Guest</th><th>Room</th></tr><tr><td>G H</td><td>1</td></tr>';
    const headings = new CellHeadings(text);
    const over = (value: string) => headings.over(text.indexOf(value), text.indexOf(value) + value.length);
    expect(['A B', 'Red', 'C D', 'Blue', 'E F', 'May', 'G H'].map(over)).toEqual([
      'name',
      'team',
      'name',
      'team',
      'owner',
      'due',
      'guest',
    ]);
  });

  test('many rows without a header take little time', () => {
    const text = 'Kim Lee,1{}\n'.repeat(20_000);
    const headings = new CellHeadings(text);
    for (let at = 0; at < text.length; at += 12) expect(headings.over(at, at + 7)).toBe(undefined);
  });
});
