/** Travel documents and driving licences of countries without an entry of their own, by the word beside them. */
import type { IdentifierType } from './identifier.ts';

export const documentIdentifiers: readonly IdentifierType[] = [
  {
    type: 'PASSPORT',
    kind: 'passport',
    form: /(?=(?:[A-Z]*\d){5})[A-Z0-9]{6,10}|\d{2} \d{7}|[A-Z]{1,3} ?\d{6,8}/,
    length: [6, 7, 8, 9, 10, 11],
    labels: [
      ...['Reisepass', 'Reisepassnummer', 'Passnummer', 'Pass-Nr.'],
      ...[
        'passeport',
        'pasaporte',
        'passaporto',
        'passaporte',
        'paspoort',
        'paspoortnummer',
        'passnummer',
        'pasnummer',
      ],
      ...['passi', 'paszport', 'cestovní pas', 'číslo pasu', 'útlevél', 'útlevélszám', 'pașaport', 'загранпаспорт'],
      ...['διαβατήριο', 'pasaport', 'דרכון', 'جواز السفر', 'رقم الجواز', '护照', '护照号', '護照', '여권', '여권번호'],
      ...['หนังสือเดินทาง', 'paspor', 'hộ chiếu', 'putovnica', 'pas číslo'],
    ],
  },
  {
    type: 'DRIVER_LICENSE',
    kind: 'driver',
    form: /(?!(?:ID|NO) )(?=(?:[A-Z -]*\d){5})[A-Z0-9][A-Z0-9 -]{5,16}[A-Z0-9]/,
    length: [7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    labels: [
      ...['Führerscheinnummer', 'Führerschein', 'Führerschein-Nr.', 'permis de conduire', 'numéro de permis'],
      ...['permiso de conducir', 'carnet de conducir', 'licencia de conducir', 'patente di guida', 'numero patente'],
      ...[
        'carta de condução',
        'carteira de habilitação',
        'CNH',
        'rijbewijs',
        'rijbewijsnummer',
        'körkort',
        'førerkort',
      ],
      ...[
        'kørekort',
        'ajokortti',
        'prawo jazdy',
        'řidičský průkaz',
        'водительское удостоверение',
        '驾驶证',
        '驾驶证号',
      ],
      ...['운전면허번호', '면허번호', 'ehliyet'],
    ],
  },
];
