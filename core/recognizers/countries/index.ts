/** The identifiers of all countries; a country has one file, and a new identifier is one entry in it. */
import type { IdentifierType } from '../identifier.ts';
import { aeIdentifiers } from './ae.ts';
import { alIdentifiers } from './al.ts';
import { arIdentifiers } from './ar.ts';
import { atIdentifiers } from './at.ts';
import { auIdentifiers } from './au.ts';
import { azIdentifiers } from './az.ts';
import { bdIdentifiers } from './bd.ts';
import { beIdentifiers } from './be.ts';
import { bgIdentifiers } from './bg.ts';
import { brIdentifiers } from './br.ts';
import { byIdentifiers } from './by.ts';
import { caIdentifiers } from './ca.ts';
import { chIdentifiers } from './ch.ts';
import { clIdentifiers } from './cl.ts';
import { cnIdentifiers } from './cn.ts';
import { coIdentifiers } from './co.ts';
import { crIdentifiers } from './cr.ts';
import { cyIdentifiers } from './cy.ts';
import { czIdentifiers } from './cz.ts';
import { deIdentifiers } from './de.ts';
import { dkIdentifiers } from './dk.ts';
import { doIdentifiers } from './do.ts';
import { ecIdentifiers } from './ec.ts';
import { eeIdentifiers } from './ee.ts';
import { egIdentifiers } from './eg.ts';
import { esIdentifiers } from './es.ts';
import { fiIdentifiers } from './fi.ts';
import { frIdentifiers } from './fr.ts';
import { gbIdentifiers } from './gb.ts';
import { geIdentifiers } from './ge.ts';
import { ghIdentifiers } from './gh.ts';
import { grIdentifiers } from './gr.ts';
import { gtIdentifiers } from './gt.ts';
import { hkIdentifiers } from './hk.ts';
import { hrIdentifiers } from './hr.ts';
import { huIdentifiers } from './hu.ts';
import { idIdentifiers } from './id.ts';
import { ieIdentifiers } from './ie.ts';
import { ilIdentifiers } from './il.ts';
import { inIdentifiers } from './in.ts';
import { irIdentifiers } from './ir.ts';
import { isIdentifiers } from './is.ts';
import { itIdentifiers } from './it.ts';
import { keIdentifiers } from './ke.ts';
import { krIdentifiers } from './kr.ts';
import { kwIdentifiers } from './kw.ts';
import { kzIdentifiers } from './kz.ts';
import { lkIdentifiers } from './lk.ts';
import { ltIdentifiers } from './lt.ts';
import { luIdentifiers } from './lu.ts';
import { lvIdentifiers } from './lv.ts';
import { maIdentifiers } from './ma.ts';
import { mdIdentifiers } from './md.ts';
import { mtIdentifiers } from './mt.ts';
import { mxIdentifiers } from './mx.ts';
import { myIdentifiers } from './my.ts';
import { ngIdentifiers } from './ng.ts';
import { nlIdentifiers } from './nl.ts';
import { noIdentifiers } from './no.ts';
import { nzIdentifiers } from './nz.ts';
import { peIdentifiers } from './pe.ts';
import { phIdentifiers } from './ph.ts';
import { pkIdentifiers } from './pk.ts';
import { plIdentifiers } from './pl.ts';
import { ptIdentifiers } from './pt.ts';
import { qaIdentifiers } from './qa.ts';
import { roIdentifiers } from './ro.ts';
import { rsIdentifiers } from './rs.ts';
import { ruIdentifiers } from './ru.ts';
import { saIdentifiers } from './sa.ts';
import { seIdentifiers } from './se.ts';
import { sgIdentifiers } from './sg.ts';
import { siIdentifiers } from './si.ts';
import { skIdentifiers } from './sk.ts';
import { thIdentifiers } from './th.ts';
import { tnIdentifiers } from './tn.ts';
import { trIdentifiers } from './tr.ts';
import { twIdentifiers } from './tw.ts';
import { uaIdentifiers } from './ua.ts';
import { usIdentifiers } from './us.ts';
import { uyIdentifiers } from './uy.ts';
import { uzIdentifiers } from './uz.ts';
import { veIdentifiers } from './ve.ts';
import { vnIdentifiers } from './vn.ts';
import { zaIdentifiers } from './za.ts';

export const nationalIdentifiers: readonly IdentifierType[] = [
  ...gbIdentifiers,
  ...ieIdentifiers,
  ...deIdentifiers,
  ...atIdentifiers,
  ...chIdentifiers,
  ...frIdentifiers,
  ...nlIdentifiers,
  ...beIdentifiers,
  ...luIdentifiers,
  ...esIdentifiers,
  ...itIdentifiers,
  ...ptIdentifiers,
  ...grIdentifiers,
  ...cyIdentifiers,
  ...mtIdentifiers,
  ...seIdentifiers,
  ...noIdentifiers,
  ...dkIdentifiers,
  ...fiIdentifiers,
  ...isIdentifiers,
  ...eeIdentifiers,
  ...ltIdentifiers,
  ...lvIdentifiers,
  ...plIdentifiers,
  ...czIdentifiers,
  ...skIdentifiers,
  ...huIdentifiers,
  ...roIdentifiers,
  ...bgIdentifiers,
  ...hrIdentifiers,
  ...siIdentifiers,
  ...rsIdentifiers,
  ...alIdentifiers,
  ...mdIdentifiers,
  ...uaIdentifiers,
  ...ruIdentifiers,
  ...byIdentifiers,
  ...trIdentifiers,
  ...ilIdentifiers,
  ...aeIdentifiers,
  ...saIdentifiers,
  ...egIdentifiers,
  ...kwIdentifiers,
  ...qaIdentifiers,
  ...maIdentifiers,
  ...tnIdentifiers,
  ...zaIdentifiers,
  ...ngIdentifiers,
  ...keIdentifiers,
  ...ghIdentifiers,
  ...pkIdentifiers,
  ...inIdentifiers,
  ...lkIdentifiers,
  ...bdIdentifiers,
  ...kzIdentifiers,
  ...uzIdentifiers,
  ...azIdentifiers,
  ...geIdentifiers,
  ...irIdentifiers,
  ...cnIdentifiers,
  ...hkIdentifiers,
  ...twIdentifiers,
  ...krIdentifiers,
  ...sgIdentifiers,
  ...myIdentifiers,
  ...thIdentifiers,
  ...idIdentifiers,
  ...phIdentifiers,
  ...vnIdentifiers,
  ...auIdentifiers,
  ...nzIdentifiers,
  ...caIdentifiers,
  ...usIdentifiers,
  ...brIdentifiers,
  ...mxIdentifiers,
  ...arIdentifiers,
  ...clIdentifiers,
  ...coIdentifiers,
  ...peIdentifiers,
  ...ecIdentifiers,
  ...uyIdentifiers,
  ...veIdentifiers,
  ...doIdentifiers,
  ...gtIdentifiers,
  ...crIdentifiers,
];
