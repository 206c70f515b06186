const open = () => cy.visit(`/index.html?api=${encodeURIComponent(Cypress.env('understudy').restUrl)}`);

describe('What is on', () => {
  it('lists what comes next', () => {
    open();
    cy.get('li').should('have.length', 3);
    cy.contains('Morning Yoga');
    cy.understudyExpect({ path: '**/events', query: { per_page: '5' }, count: 1 });
  });

  it('shows a new event', () => {
    cy.understudyCreate('events', { title: 'Late Show', start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' });
    open();
    cy.get('li').should('have.length', 4).first().should('have.text', 'Late Show');
  });

  it('leaves out what is over', () => {
    cy.understudyAdvance('2 days');
    open();
    cy.get('li').should('have.length', 2);
  });

  it('shows a calendar of another site', () => {
    cy.understudySeed({ events: [{ title: 'Regatta', start: '+1d 10:00', duration: '2h' }] });
    open();
    cy.get('li').should('have.text', 'Regatta');
    cy.understudySeed('cypress/calendar.json');
  });

  it('says what is wrong', () => {
    cy.understudyFault('maintenance');
    open();
    cy.get('#message').should('contain', '503');
    cy.understudyJournal({ status: '5xx' }).then((entries) => expect(entries).to.have.length(1));
  });
});
